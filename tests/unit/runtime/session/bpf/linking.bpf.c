/* Input of the linker tests: subprograms, callbacks, constant tables, cookies, maps by address and by value. */
#include "programs.h"

static const ds_u64 table[4] = {3, 5, 7, 11};
static const ds_u32 other_table[3] = {100, 200, 300};

SUBPROGRAM ds_u64 twice(ds_u64 value) {
  __asm__ volatile("" ::: "memory");
  return value * 2;
}
SUBPROGRAM ds_u64 plus_table(ds_u64 value) {
  __asm__ volatile("" ::: "memory");
  return twice(value) + table[value & 3];
}
static long add_up(ds_u32 index, void* sum) {
  *(ds_u64*)sum += plus_table(index);
  return 0;
}
/* Never called: the kernel would reject it as unreachable. */
__attribute__((used, noinline)) ds_u64 lonely(ds_u64 value) { return twice(value) + 1; }

PROGRAM(sums)(ds_u64* context) {
  ds_u64 sum = 0;
  loop(4, add_up, &sum, 0); /* 2 * (0 + 1 + 2 + 3) + 3 + 5 + 7 + 11 = 38 */
  ds_globals[2] = sum;
  ds_globals[3] = plus_table(context[0]);
  ds_globals[4] = context[0] < 3 ? other_table[context[0]] : 0;
  return 0;
}

PROGRAM(cookie)(ds_u64* context) {
  ds_globals[5] = (ds_u64)&ds_cookie;
  return 0;
}

extern ds_u64 no_such_kernel_function(ds_u64 value);
PROGRAM(unknown_function)(ds_u64* context) {
  ds_globals[0] = no_such_kernel_function(1);
  return 0;
}

extern char ds_no_such_map;
PROGRAM(unknown_map)(ds_u64* context) {
  ds_u32 zero = 0;
  return map_lookup(&ds_no_such_map, &zero) != 0;
}

/* kfuncs that exist in every kernel that has kfuncs for raw tracepoints. */
extern void bpf_rcu_read_lock(void);
extern void bpf_rcu_read_unlock(void);
PROGRAM(kernel_function)(ds_u64* context) {
  bpf_rcu_read_lock();
  ds_globals[6] = 66;
  bpf_rcu_read_unlock();
  return 0;
}
