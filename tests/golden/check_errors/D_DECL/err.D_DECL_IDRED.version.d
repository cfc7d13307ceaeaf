/* golden: version=1.1 */
int strstr;
BEGIN { strstr = 1; }
