// The BPF helpers of ds_bpf.h for the host, so that the support library's sources can be tested as plain functions.
// Included before each of them (-include).
#pragma once

#include <string.h>

#define DS_NATIVE_HELPERS 1

typedef long (*ds_loop_body)(unsigned long long index, void* state);

static inline long bpf_probe_read_kernel(void* dst, unsigned size, const void* address) {
  memcpy(dst, address, size);
  return 0;
}

static inline long bpf_probe_read_user(void* dst, unsigned size, const void* address) {
  return bpf_probe_read_kernel(dst, size, address);
}

// A clock that goes on by a millisecond whenever it is looked at; tests set it.
extern unsigned long long fake_clock_ns;
static inline unsigned long long bpf_ktime_get_ns(void) { return fake_clock_ns += 1000000; }

static inline long bpf_loop(unsigned count, ds_loop_body body, void* state, unsigned long long flags) {
  (void)flags;
  for (unsigned i = 0; i < count; i++)
    if (body(i, state) != 0) return i + 1;
  return count;
}
