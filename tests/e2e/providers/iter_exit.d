/* exit() ends the iteration at the current object and sets the exit status. */
#pragma D option quiet

iter::task: { n++; }
iter::task: /n == 3/ { printf("%d\n", n); exit(4); }
iter::task_file: { later++; }
END { printf("%d %d\n", n, later); }
