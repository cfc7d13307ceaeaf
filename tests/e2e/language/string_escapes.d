/* Escapes in string constants. An unknown escape keeps its backslash. */
#pragma D option quiet

BEGIN {
  printf("%s|%s|%s\n", "a\tb", "\"q\"", "back\\slash");
  printf("%s|%s|%s\n", "\101\102", "\x43", "\?");
  printf("%d %d %d\n", strlen("a\0b"), sizeof("abc"), sizeof(""));
  printf("%s\n", "caf\303\251");
  printf("%S\n", "t\tq\"\001");
  exit(0);
}
