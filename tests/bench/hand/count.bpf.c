// syscall::getppid:entry { @ = count(); }
#include "hand.bpf.h"

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, __u64);
} total SEC(".maps");

SEC("raw_tp/sys_enter")
int on_entry(struct bpf_raw_tracepoint_args* entry) {
  if (called_number(entry) != TRACED_CALL) return 0;
  __u32 first = 0;
  __u64* count = bpf_map_lookup_elem(&total, &first);
  if (count) *count += 1;
  return 0;
}
