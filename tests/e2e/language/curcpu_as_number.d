/* The address in curcpu is usable as a number. */
#pragma D option quiet
BEGIN {
  printf("%d %d\n", ((uint64_t)curcpu & ~7) * 2 - (uint64_t)curcpu == (uint64_t)curcpu, curcpu->cpu_id == cpu);
  exit(0);
}
