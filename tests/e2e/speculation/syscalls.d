/* The usual way to print only failed calls. */
/* @@command: %T/calls open /nosuchfile 3 */
#pragma D option quiet
#pragma D option nspec=4
syscall::openat:entry /pid == $target/
{
  self->id = speculation();
  speculate(self->id);
  printf("%s", copyinstr(arg1));
}
syscall::openat:return /self->id && errno == 0/ { discard(self->id); self->id = 0; }
syscall::openat:return /self->id/ { speculate(self->id); printf(" %d\n", errno); }
syscall::openat:return /self->id/ { commit(self->id); self->id = 0; }
