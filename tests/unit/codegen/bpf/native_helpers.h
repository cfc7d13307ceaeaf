// The BPF helpers of ds_bpf.h for the host, so that the support library's sources can be tested as plain functions.
// Included before each of them (-include).
#pragma once

#include <string.h>

#define DS_NATIVE_HELPERS 1

typedef long (*ds_loop_body)(unsigned long long index, void* state);

/* Reads from the lowest addresses fail, as in the kernel. */
static inline long bpf_probe_read_kernel(void* dst, unsigned size, const void* address) {
  if ((unsigned long long)address < 65536 && size > 0) return -14;
  memcpy(dst, address, size);
  return 0;
}

static inline long bpf_probe_read_kernel_str(void* dst, unsigned size, const void* address) {
  if ((unsigned long long)address < 65536) return -14;
  unsigned length = 0;
  while (length < size && (((char*)dst)[length] = ((const char*)address)[length]) != 0) ++length;
  if (length == size && size > 0) ((char*)dst)[--length] = 0;
  return length + 1;
}

#ifdef DS_FAKE_USER_MEMORY
extern long fake_read_user(void* to, unsigned size, unsigned long long address);
static inline long bpf_probe_read_user(void* dst, unsigned size, const void* address) {
  return fake_read_user(dst, size, (unsigned long long)address);
}
#else
static inline long bpf_probe_read_user(void* dst, unsigned size, const void* address) {
  return bpf_probe_read_kernel(dst, size, address);
}
#endif

// Set by tests: the current thread, and the memory area (VMA) that contains every address.
extern unsigned long long fake_task;
extern void* fake_area;
typedef long (*ds_area_body)(void* task, void* area, void* state);
static inline unsigned long long bpf_get_current_task(void) { return fake_task; }
static inline unsigned bpf_get_smp_processor_id(void) { return 0; }
static inline void* bpf_get_current_task_btf(void) { return (void*)fake_task; }
static inline long bpf_find_vma(void* task, unsigned long long address, ds_area_body body, void* state,
                                unsigned long long flags) {
  (void)address, (void)flags;
  return fake_area == 0 ? -2 : body(task, fake_area, state);
}

// Defined by tests. `map`: the name of a map, or what a look-up in a map of maps has returned.
extern void* fake_map_lookup(const void* map, const void* key);
extern long fake_map_update(const void* map, const void* key, const void* value);
extern long fake_ring_output(const void* ring, const void* data, unsigned long long size);
static inline void* bpf_map_lookup_elem(const void* map, const void* key) { return fake_map_lookup(map, key); }
static inline long bpf_map_update_elem(const void* map, const void* key, const void* value, unsigned long long flags) {
  (void)flags;
  return fake_map_update(map, key, value);
}
static inline long bpf_ringbuf_output(const void* ring, const void* data, unsigned long long size,
                                      unsigned long long flags) {
  (void)flags;
  return fake_ring_output(ring, data, size);
}

// A clock that advances by a millisecond at each reading. Set by tests.
extern unsigned long long fake_clock_ns;
static inline unsigned long long bpf_ktime_get_ns(void) { return fake_clock_ns += 1000000; }

static inline long bpf_loop(unsigned count, ds_loop_body body, void* state, unsigned long long flags) {
  (void)flags;
  for (unsigned i = 0; i < count; i++)
    if (body(i, state) != 0) return i + 1;
  return count;
}
