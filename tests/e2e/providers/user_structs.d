/* Structs in user memory, through args[] and by copyin().
 @@command: sleep 0.25 */
#pragma D option quiet

syscall::clock_nanosleep:entry /pid == $target/ {
  this->t = (struct timespec64 *)copyin(arg2, sizeof(struct timespec64));
  printf("%d %d %d %d\n", args[2]->tv_sec, args[2]->tv_nsec, this->t->tv_sec, this->t->tv_nsec);
}
