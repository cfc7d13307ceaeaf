#!/usr/bin/env -S dscope -s
/* Show how much memory a program allocates: the sizes as a distribution, and the ten stacks that allocate the most.
 * Usage: dscope-mallocstat -c COMMAND
 *        dscope-mallocstat -p PID
 */
#pragma D option quiet
#pragma D option aggmerge

pid$target:libc:malloc:entry
{
  @sizes["bytes requested by malloc()"] = quantize(arg0);
  @stacks[ustack(6)] = sum(arg0);
}

pid$target:libc:calloc:entry
{
  @sizes["bytes requested by calloc()"] = quantize(arg0 * arg1);
  @stacks[ustack(6)] = sum(arg0 * arg1);
}

pid$target:libc:realloc:entry
{
  @sizes["bytes requested by realloc()"] = quantize(arg1);
  @stacks[ustack(6)] = sum(arg1);
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@stacks, 10);
  else
    trunc(@sizes);
  printa(@sizes);
  printf("\nbytes by stack:\n");
  printa(@stacks);
}
