/* A string in scratch memory ends at the end of its block, whatever the memory contained before.
 @@command: %T/calls getppid 2 */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ {
  n++;
  this->size = n == 1 ? 40 : 8;
  this->block = alloca(this->size);
  bcopy("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", this->block, this->size);
  printf("%s\n", stringof(this->block));
}
