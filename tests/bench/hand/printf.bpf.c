// syscall::getppid:entry { printf("%d %d\n", pid, cpu); }
#include "hand.bpf.h"

struct record {
  __u32 pid, cpu;
};

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 8 << 20);
} records SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, __u64);
} lost SEC(".maps");

SEC("raw_tp/sys_enter")
int on_entry(struct bpf_raw_tracepoint_args* entry) {
  if (called_number(entry) != TRACED_CALL) return 0;
  struct record* record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);
  if (!record) {
    __u32 first = 0;
    __u64* count = bpf_map_lookup_elem(&lost, &first);
    if (count) *count += 1;
    return 0;
  }
  record->pid = bpf_get_current_pid_tgid() >> 32;
  record->cpu = bpf_get_smp_processor_id();
  bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
  return 0;
}
