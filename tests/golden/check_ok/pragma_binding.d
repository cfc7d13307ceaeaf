/* golden: version=1.5 */
#pragma D binding "1.6" x
inline int x = 3;
string x;
#pragma D binding "1.5.1" y
int y;
#pragma D binding "1.5" z
int z;
BEGIN { x = "free"; z = 1; }
