/* Keys are converted to the declared key types. Bytes after the end of a string key are ignored. */
#pragma D option quiet

int a[unsigned char, string]; int b[int]; int u[long]; string d[short]; char e[int];

BEGIN {
  a[300, "k"] = 7; printf("%d %d\n", a[44, "k"], a[300, "k"]);
  b[0xffffffff] = 1; printf("%d\n", b[-1]);
  s = "long key value"; s = "k"; printf("%d\n", a[44, s]);
  u[4294967296] = 6; printf("%d %d\n", u[4294967296], u[0]);
  d[5] = "five"; d[5] = strjoin(d[5], "5"); printf("%s\n", d[5]);
  e[1] = 200; printf("%d\n", e[1]);
  exit(0);
}
