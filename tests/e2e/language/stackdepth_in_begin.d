/* stackdepth counts the frames that stack() prints: a system call of dscope fires BEGIN. */
#pragma D option quiet

BEGIN {
  printf("%s\n", stackdepth >= 2 && stackdepth < 6 ? "as printed" : "more");
  exit(0);
}
