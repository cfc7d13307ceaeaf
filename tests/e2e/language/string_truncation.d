/* strsize limits every string, recorded or computed. */
#pragma D option quiet
#pragma D option strsize=5

BEGIN {
  s = "abcdefgh"; printf("%s %d\n", s, strlen(s));
  printf("%s %d\n", "abcdefgh", strlen("abcdefgh"));
  printf("%s\n", strjoin("abc", "def"));
  printf("%s %s\n", lltostr(12345678), lltostr(-1234567));
  printf("%s %s\n", substr("abcdefgh", 2), substr("abcde", 1, 3));
  printf("%d %d\n", sizeof(string), s == "abcde");
  printf("%s\n", execname);
  a["abcdefgh"] = 4; printf("%d %d\n", a["abcde"], a["abcdexyz"]);
  exit(0);
}
