/* index() and rindex() with and without a start. */
#pragma D option quiet

BEGIN {
  s = "foobarbaz";
  printf("%d\n", index(s, "o"));
  printf("%d\n", index(s, "ba"));
  printf("%d\n", index(s, "ba", 4));
  printf("%d\n", index(s, "ba", 7));
  printf("%d\n", index(s, "q"));
  printf("%d\n", index(s, ""));
  printf("%d\n", index(s, "", 4));
  printf("%d\n", index(s, "", 9));
  printf("%d\n", index(s, "", 10));
  printf("%d\n", index(s, "foo", -3));
  printf("%d\n", index(s, "f", 100));
  printf("%d\n", index("", ""));
  printf("%d\n", rindex(s, "o"));
  printf("%d\n", rindex(s, "ba"));
  printf("%d\n", rindex(s, "ba", 5));
  printf("%d\n", rindex(s, "ba", 3));
  printf("%d\n", rindex(s, "ba", 2));
  printf("%d\n", rindex(s, "q"));
  printf("%d\n", rindex(s, ""));
  printf("%d\n", rindex(s, "", 4));
  printf("%d\n", rindex(s, "", 100));
  printf("%d\n", rindex(s, "f", -1));
  printf("%d\n", rindex(s, "z", 100));
  exit(0);
}
