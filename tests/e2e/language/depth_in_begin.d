/* stackdepth counts the frames that stack() prints: BEGIN is fired by a system call of ours. */
#pragma D option quiet

BEGIN {
  printf("%s\n", stackdepth >= 2 && stackdepth < 6 ? "as printed" : "more");
  exit(0);
}
