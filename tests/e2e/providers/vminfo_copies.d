/* Pages copied on write, and other writes to pages that were not writable.
 @@command: %T/copies 300 /var/tmp */
#pragma D option quiet
int marks, copies[int];

syscall::getppid:entry /progenyof($target)/ { ++marks; }
vminfo:::cow_fault /progenyof($target) && (marks & 1) != 0/ { copies[(marks + 1) / 2] += args[0]; }
END {
  printf("%d %d %d %d %d %d\n", copies[1], copies[2] < 100, copies[3], copies[4], copies[5], copies[6]);
}
