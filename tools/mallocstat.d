#!/usr/bin/env -S dscope -s
/* How much memory a program asks for at a time, and from where: sizes as a distribution, the ten greediest stacks.
 * Usage: mallocstat.d -c COMMAND
 *        mallocstat.d -p PID
 */
#pragma D option quiet

pid$target:libc:malloc:entry
{
  @sizes["bytes asked for by malloc()"] = quantize(arg0);
  @places[ustack(6)] = sum(arg0);
}

pid$target:libc:calloc:entry
{
  @sizes["bytes asked for by calloc()"] = quantize(arg0 * arg1);
  @places[ustack(6)] = sum(arg0 * arg1);
}

pid$target:libc:realloc:entry
{
  @sizes["bytes asked for by realloc()"] = quantize(arg1);
  @places[ustack(6)] = sum(arg1);
}

dtrace:::END
{
  trunc(@places, 10);
  printa(@sizes);
  printf("\nbytes by place:\n");
  printa(@places);
}
