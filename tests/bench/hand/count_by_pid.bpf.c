// syscall::getppid:entry { @[pid, execname] = count(); }
#include "hand.bpf.h"

struct pid_key {
  __u32 pid;
  char name[NAME_SIZE];
};
COUNTS_BY(struct pid_key, by_pid);

SEC("raw_tp/sys_enter")
int on_entry(struct bpf_raw_tracepoint_args* entry) {
  if (called_number(entry) != TRACED_CALL) return 0;
  struct pid_key key;
  key.pid = bpf_get_current_pid_tgid() >> 32;
  bpf_get_current_comm(key.name, sizeof(key.name));
  add_one(&by_pid, &key);
  return 0;
}
