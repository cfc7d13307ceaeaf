/* END starts with an empty buffer, and can fill it too.
 @@options: -x cpu=0 -x droptags */
#pragma D option quiet
#pragma D option bufsize=8k
#pragma D option strsize=2048

string text;

BEGIN { text = "x"; trace(text); exit(0); }
END { trace(text); trace(text); trace(0); }
END { trace(text); trace(text); trace(1); }
END { trace(2); }
