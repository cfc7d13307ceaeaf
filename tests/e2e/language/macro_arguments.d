/* $1, $$2 and friends: integers, strings, identifiers, $0.
 @@options: 42 two+words pid 0xff 010 */
#pragma D option quiet

BEGIN {
  printf("%d %s %s\n", $1, $$1, $$2);
  printf("%d %d %d\n", $3 == pid, $4, $5);
  printf("%d\n", strstr($$0, "macro_arguments.d") != NULL);
  exit(0);
}
