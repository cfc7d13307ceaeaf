/* sizeof types, expressions and strings. */
#pragma D option quiet

struct p { char a; int b; }; int x[10];

BEGIN {
  printf("%d %d %d %d\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long));
  printf("%d %d %d\n", sizeof(void *), sizeof(string), sizeof("four"));
  printf("%d %d %d\n", sizeof(pid), sizeof(timestamp), sizeof(execname));
  printf("%d %d\n", sizeof(struct p), sizeof(x));
  printf("%d %d\n", sizeof(curthread->comm), sizeof(curthread->pid));
  printf("%d\n", sizeof(1 + 1l));
  exit(0);
}
