/* Globals start as zero, take the type of their first assignment and are shared by clauses. */
#pragma D option quiet

int i; string s; void *p;

END { later = 1; }
char late;

BEGIN {
  printf("%d [%s] %p\n", i, s, p);
  n = 5; m = 0x100000000; t = "txt"; q = curthread;
  printf("%d %d %d %d\n", sizeof(n), sizeof(m), sizeof(t), sizeof(q));
  n = m + 3; printf("%d\n", n);
  q = curthread->group_leader; printf("%d\n", q->pid == pid);
  late = 300; printf("%d\n", late);
  exit(0);
}
