/* A record that does not fit in the buffer is rejected before tracing. */
#pragma D option quiet
#pragma D option strsize=70000
#pragma D option bufsize=64k

BEGIN { s = "a"; trace(s); trace(s); exit(0); }
