#!/usr/bin/env -S dscope -s
/* How much memory does a program allocate, and where is memory that it did not free?
 *
 * Needs -c or -p. OUTSTANDING is memory that was allocated and not freed while tracing ran.
 */
#pragma D arg -p -c -d
#pragma D arg -t N=10
#pragma D option quiet
#pragma D option aggmerge
#pragma D option dynvarsize=16m

uint64_t block[uint64_t];  /* the sizes of allocated blocks, by address */

pid$target:libc:malloc:entry
{
  self->size = arg0;
  @sizes["bytes requested by malloc()"] = quantize(arg0);
}

pid$target:libc:calloc:entry
{
  self->size = arg0 * arg1;
  @sizes["bytes requested by calloc()"] = quantize(arg0 * arg1);
}

pid$target:libc:realloc:entry
{
  self->size = arg1;
  self->old = arg0;
  @sizes["bytes requested by realloc()"] = quantize(arg1);
}

pid$target:libc:realloc:return
/self->old && arg1 && block[self->old]/
{
  @outstanding = sum(-(int64_t)block[self->old]);
  block[self->old] = 0;
}

pid$target:libc:malloc:return, pid$target:libc:calloc:return, pid$target:libc:realloc:return
/self->size && arg1/
{
  block[arg1] = self->size;
  @stacks[ustack(6)] = sum(self->size);
  @outstanding = sum((int64_t)self->size);
  @allocated = sum(self->size);
}

pid$target:libc:malloc:return, pid$target:libc:calloc:return, pid$target:libc:realloc:return
{
  self->size = 0;
  self->old = 0;
}

pid$target:libc:free:entry
/block[arg0]/
{
  @outstanding = sum(-(int64_t)block[arg0]);
  block[arg0] = 0;
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@stacks, $top);
  else
    trunc(@sizes);
  printa(@sizes);
  printf("\nbytes by stack:\n");
  printa(@stacks);
  printa("%@d bytes allocated\n", @allocated);
  printa("%@d bytes outstanding\n", @outstanding);
}
