// syscall::getppid:entry { self->t = timestamp; }
// syscall::getppid:return /self->t/ { @[execname] = quantize(timestamp - self->t); self->t = 0; }
#include "hand.bpf.h"

#define BUCKETS 64

struct {
  __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, __u64);
} started SEC(".maps");

struct distribution {
  __u64 buckets[BUCKETS];
};

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __uint(max_entries, 10240);
  __type(key, struct name_key);
  __type(value, struct distribution);
} latency SEC(".maps");

static const struct distribution nothing;

// The exponent of the highest power of two in `value`; 0 for 0 and 1.
static __always_inline __u32 bucket_of(__u64 value) {
  __u32 bucket = 0, step;
  step = (value > 0xffffffff) << 5;
  value >>= step;
  bucket |= step;
  step = (value > 0xffff) << 4;
  value >>= step;
  bucket |= step;
  step = (value > 0xff) << 3;
  value >>= step;
  bucket |= step;
  step = (value > 0xf) << 2;
  value >>= step;
  bucket |= step;
  step = (value > 0x3) << 1;
  value >>= step;
  bucket |= step;
  return bucket | (value >> 1);
}

SEC("raw_tp/sys_enter")
int on_entry(struct bpf_raw_tracepoint_args* entry) {
  if (called_number(entry) != TRACED_CALL) return 0;
  __u64 now = bpf_ktime_get_ns();
  __u64* start = bpf_task_storage_get(&started, bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
  if (start) *start = now;
  return 0;
}

SEC("raw_tp/sys_exit")
int on_return(void* context) {
  if (entry_registers()->orig_rax != TRACED_CALL) return 0;
  __u64* start = bpf_task_storage_get(&started, bpf_get_current_task_btf(), 0, 0);
  if (!start || !*start) return 0;
  __u64 passed = bpf_ktime_get_ns() - *start;
  struct name_key key;
  bpf_get_current_comm(key.name, sizeof(key.name));
  struct distribution* found = bpf_map_lookup_elem(&latency, &key);
  if (!found) {
    bpf_map_update_elem(&latency, &key, &nothing, BPF_NOEXIST);
    found = bpf_map_lookup_elem(&latency, &key);
  }
  if (found) found->buckets[bucket_of(passed) & (BUCKETS - 1)] += 1;
  *start = 0;
  return 0;
}
