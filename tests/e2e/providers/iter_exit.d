/* exit() ends the walk at the object it is called for; the exit status is its. */
#pragma D option quiet

iter::task: { n++; }
iter::task: /n == 3/ { printf("%d\n", n); exit(4); }
iter::task_file: { later++; }
END { printf("%d %d\n", n, later); }
