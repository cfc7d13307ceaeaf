/* golden: version=1.5 */
#pragma D binding "1.6" x
inline int x = 3;
BEGIN { trace(x); }
