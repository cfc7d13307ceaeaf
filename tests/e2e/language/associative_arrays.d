/* Associative arrays with integer, string and several keys. Absent elements read as 0. */
#pragma D option quiet

BEGIN {
  a[1] = 10; a[2] = 20; a[-1] = 30;
  printf("%d %d %d %d\n", a[1], a[2], a[-1], a[3]);
  s["one"] = 1; s["two"] = 2; printf("%d %d %d\n", s["one"], s["two"], s["three"]);
  m["x", 1] = "x1"; m["x", 2] = "x2"; m["y", 1] = "y1";
  printf("%s %s %s %d\n", m["x", 1], m["x", 2], m["y", 1], m["y", 2] == NULL);
  p[curthread] = 5; printf("%d\n", p[curthread]);
  t[1, 2, 3, 4, 5, 6, 7, 8] = 9; printf("%d %d\n", t[1, 2, 3, 4, 5, 6, 7, 8], t[8, 2, 3, 4, 5, 6, 7, 1]);
  a[1] += 5; a[1] <<= 1; printf("%d\n", a[1]);
  a[1] = 0; printf("%d\n", a[1]);
  c['a'] = 1; printf("%d\n", c[97]);
  a[a[2]] = 3; printf("%d\n", a[20]);
  k = "o"; k = strjoin(k, "ne"); printf("%d\n", s[k]);
  exit(0);
}
