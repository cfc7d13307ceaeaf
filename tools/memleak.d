#!/usr/bin/env -S dscope -s
/* Which code allocates memory that is not freed?
 *
 * Needs -c or -p. Bytes and blocks that are still allocated when tracing ends, by user stack. Memory that a program keeps
 * until it ends counts as well.
 */
#pragma D arg -p -c -d
#pragma D arg -t N=10
#pragma D option quiet
#pragma D option aggkept
#pragma D option dynvarsize=16m

/* The sizes of allocated blocks and the callers that allocated them, by address. */
uint64_t block[uint64_t], origin[uint64_t];

pid$target:libc:malloc:entry
{
  self->size = arg0;
}

pid$target:libc:calloc:entry
{
  self->size = arg0 * arg1;
}

pid$target:libc:realloc:entry
{
  self->size = arg1;
  self->old = arg0;
}

pid$target:libc:realloc:return
/self->old && arg1 && block[self->old]/
{
  @bytes[usym(origin[self->old])] = sum(-(int64_t)block[self->old]);
  @blocks[usym(origin[self->old])] = sum(-1);
  block[self->old] = 0;
  origin[self->old] = 0;
}

pid$target:libc:malloc:return, pid$target:libc:calloc:return, pid$target:libc:realloc:return
/self->size && arg1/
{
  block[arg1] = self->size;
  origin[arg1] = ucaller;
  @bytes[usym(ucaller)] = sum((int64_t)self->size);
  @blocks[usym(ucaller)] = sum(1);
}

pid$target:libc:malloc:return, pid$target:libc:calloc:return, pid$target:libc:realloc:return
{
  self->size = 0;
  self->old = 0;
}

pid$target:libc:free:entry
/block[arg0]/
{
  @bytes[usym(origin[arg0])] = sum(-(int64_t)block[arg0]);
  @blocks[usym(origin[arg0])] = sum(-1);
  block[arg0] = 0;
  origin[arg0] = 0;
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@bytes, $top);
  printf("%-56s %12s %8s\n", "CALLER", "BYTES", "BLOCKS");
  printa("%-56A %@12d %@8d\n", @bytes, @blocks);
}
