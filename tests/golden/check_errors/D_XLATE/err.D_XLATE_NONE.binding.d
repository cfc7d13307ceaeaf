/* golden: version=1.5 */
struct o { int a; };
#pragma D binding "1.6" translator
translator struct o < int i > { a = i; };
#pragma D binding "1.5" translator
translator struct o < char *s > { a = 1; };
BEGIN { trace(xlate <struct o> ("x").a); }
END { trace(xlate <struct o> (1).a); }
