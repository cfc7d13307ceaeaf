/* A program the verifier refuses: a number used as an address. */
#include "programs.h"

SUBPROGRAM ds_u64 harmless(ds_u64 value) {
  __asm__ volatile("" ::: "memory");
  return value + 1;
}

PROGRAM(refused)(ds_u64* context) {
  ds_u64* address = (ds_u64*)harmless(context[0]);
  ds_globals[0] = *address; /* the refused line */
  return 0;
}
