/* cleanpath() is textual. */
#pragma D option quiet
string none;
BEGIN
{
  printf("[%s] [%s] [%s]\n", cleanpath(""), cleanpath("/"), cleanpath("x"));
  printf("%s %s %s\n", cleanpath("/foo/bar/../../baz/.//"), cleanpath("/../../"), cleanpath("/."));
  printf("%s %s %s %s\n", cleanpath("./"), cleanpath("a/."), cleanpath("./a"), cleanpath("a/.."));
  printf("%s %s %s\n", cleanpath("a/../.."), cleanpath("../.."), cleanpath("/a/../.."));
  printf("%s %s\n", cleanpath("z/a/b/../../././c///d/e"), cleanpath("//"));
  none = NULL;
}
BEGIN { printf("%s\n", cleanpath(none)); }
BEGIN { exit(0); }
