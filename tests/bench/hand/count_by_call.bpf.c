// syscall:::entry { @[probefunc] = count(); }
#include "hand.bpf.h"

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 512);
  __type(key, __u32);
  __type(value, __u64);
} by_call SEC(".maps");

SEC("raw_tp/sys_enter")
int on_entry(struct bpf_raw_tracepoint_args* entry) {
  __u32 number = called_number(entry);
  __u64* count = bpf_map_lookup_elem(&by_call, &number);
  if (count) *count += 1;
  return 0;
}
