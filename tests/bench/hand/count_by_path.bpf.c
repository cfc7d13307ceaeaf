// syscall::openat:entry { @[copyinstr(arg1)] = count(); }
#include "hand.bpf.h"

struct path_key {
  __u64 words[PATH_SIZE / 8];
};
COUNTS_BY(struct path_key, by_path);

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct path_key);
} scratch SEC(".maps");

SEC("raw_tp/sys_enter")
int on_entry(struct bpf_raw_tracepoint_args* entry) {
  if (called_number(entry) != __NR_openat) return 0;
  __u32 first = 0;
  struct path_key* key = bpf_map_lookup_elem(&scratch, &first);
  if (!key) return 0;
  for (int i = 0; i < PATH_SIZE / 8; i++) key->words[i] = 0;
  if (bpf_probe_read_user_str(key, sizeof(*key), (const void*)entry_registers()->rsi) < 0) return 0;
  add_one(&by_path, key);
  return 0;
}
