/* golden: version=1.0 */
int strstr;
string htons[int];
BEGIN { strstr = 1; htons[1] = "x"; stddev = 3; trace(strstr); }
