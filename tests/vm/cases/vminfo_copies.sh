# Pages copied on write. tests/e2e/triggers/copies.c makes the marks.
dscope -qn 'int marks, copies[int]; syscall::getppid:entry /progenyof($target)/ { ++marks; }
  vminfo:::cow_fault /progenyof($target) && (marks & 1) != 0/ { copies[(marks + 1) / 2] += args[0]; }
  END { printf("%d %d %d %d %d %d\n", copies[1], copies[2] < 100, copies[3], copies[4], copies[5], copies[6]); }' -c '/bin/copies 300'
