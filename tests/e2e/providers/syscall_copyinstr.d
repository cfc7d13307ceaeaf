/* Strings of user space: copyinstr() with and without a length, copyin(), at entry and return.
 @@command: %T/calls text some-text 1 */
#pragma D option quiet

syscall::write:entry /pid == $target/ {
  printf("[%s] [%s] [%s]\n", copyinstr(arg1), copyinstr(arg1, 5), copyinstr(arg1, 1));
  this->p = (char *)copyin(arg1, arg2);
  printf("%c%c%c\n", this->p[0], this->p[1], this->p[arg2 - 1]);
  printf("[%s]\n", stringof(copyin(arg1, 4)));
  self->buffer = arg1;
}
syscall::write:return /self->buffer/ { printf("[%s]\n", copyinstr(self->buffer)); self->buffer = 0; }
