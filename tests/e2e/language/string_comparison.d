/* Strings compare bytewise as unsigned characters up to the terminator. */
#pragma D option quiet

BEGIN {
  a = "abc"; b = "abd"; c = "abcd"; e = ""; h = "\377";
  printf("%d%d%d%d%d%d\n", a < b, a <= b, a == b, a != b, a >= b, a > b);
  printf("%d%d%d%d%d%d\n", a < c, a <= c, a == c, a != c, a >= c, a > c);
  printf("%d%d%d\n", a == "abc", "abc" == a, a == "ab");
  printf("%d%d%d%d\n", e == "", e < a, a > e, e == a);
  printf("%d%d\n", h > a, h < "\376");
  printf("%d%d%d\n", "abc" == "abc", "abc" < "abd", "b" < "abd");
  long_one = "abcdefghijklmnopqrstuvwxyz"; other = "abcdefghijklmnopqrstuvwxyZ";
  printf("%d%d\n", long_one > other, long_one == other);
  f = "abc"; f = "ab"; printf("%d\n", f == "ab");
  printf("%d\n", strjoin("a", "b") == "ab");
  exit(0);
}
