/* A program that the verifier rejects: it uses a number as an address. */
#include "programs.h"

SUBPROGRAM ds_u64 harmless(ds_u64 value) {
  __asm__ volatile("" ::: "memory");
  return value + 1;
}

PROGRAM(refused)(ds_u64* context) {
  ds_u64* address = (ds_u64*)harmless(context[0]);
  ds_globals[0] = *address; /* the rejected line */
  return 0;
}
