// syscall::getppid:entry { @[execname] = count(); }, or syscall:::entry when built with ANY_CALL.
#include "hand.bpf.h"

COUNTS_BY(struct name_key, by_name);

SEC("raw_tp/sys_enter")
int on_entry(struct bpf_raw_tracepoint_args* entry) {
#ifndef ANY_CALL
  if (called_number(entry) != TRACED_CALL) return 0;
#endif
  struct name_key key;
  bpf_get_current_comm(key.name, sizeof(key.name));
  add_one(&by_name, &key);
  return 0;
}
