// Shared by the hand-written programs: includes, map declarations, and the number of the traced system call.
// Each program implements one D clause by hand, as cheaply as possible.
// The build sets TRACED_CALL: one source serves several system calls.
#pragma once

#include <asm/ptrace.h>
#include <asm/unistd.h>
#include <linux/bpf.h>
#include <linux/types.h>

#include <bpf/bpf_helpers.h>

#ifndef TRACED_CALL
#define TRACED_CALL __NR_getppid
#endif

#define NAME_SIZE 16
#define PATH_SIZE 256

struct task_struct;

struct name_key {
  char name[NAME_SIZE];
};

// Declares the map `map_name`, one word per CPU for each key. Without preallocation it starts milliseconds faster and
// updates existing keys at the same cost.
#define COUNTS_BY(key_type, map_name)       \
  struct {                                  \
    __uint(type, BPF_MAP_TYPE_PERCPU_HASH); \
    __uint(map_flags, BPF_F_NO_PREALLOC);   \
    __uint(max_entries, 10240);             \
    __type(key, key_type);                  \
    __type(value, __u64);                   \
  } map_name SEC(".maps")

static __always_inline long called_number(struct bpf_raw_tracepoint_args* entry) { return (long)entry->args[1]; }

// The current thread's registers at kernel entry, readable without a helper call per field.
static __always_inline struct pt_regs* entry_registers(void) {
  return (struct pt_regs*)bpf_task_pt_regs(bpf_get_current_task_btf());
}

static __always_inline void add_one(void* map, const void* key) {
  __u64* count = bpf_map_lookup_elem(map, key);
  if (!count) {
    __u64 zero = 0;
    bpf_map_update_elem(map, key, &zero, BPF_NOEXIST);
    count = bpf_map_lookup_elem(map, key);
    if (!count) return;
  }
  *count += 1;
}

char license_name[] SEC("license") = "GPL";
