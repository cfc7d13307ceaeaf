// Processes: progenyof.
#include "support.h"

#define MOST_ANCESTORS 256

struct ancestors {
  u64 task;
  u64 offsets;
  u64 pid;
  u64 found;
};

static long look_at_process(u64 index, void* state) {
  struct ancestors* ancestors = state;
  (void)index;
  unsigned tgid = 0;
  u64 parent = 0;
  bpf_probe_read_kernel(&tgid, sizeof tgid, (const void*)(ancestors->task + (ancestors->offsets >> 32)));
  if (tgid == (unsigned)ancestors->pid) {
    ancestors->found = 1;
    return 1;
  }
  bpf_probe_read_kernel(&parent, sizeof parent, (const void*)(ancestors->task + (unsigned)ancestors->offsets));
  // The first process is its own parent.
  if (parent == 0 || parent == ancestors->task) return 1;
  ancestors->task = parent;
  return 0;
}

u64 ds_progenyof(u64 task, u64 offsets, u64 pid) {
  struct ancestors ancestors = {.task = task, .offsets = offsets, .pid = pid, .found = 0};
  bpf_loop(MOST_ANCESTORS, look_at_process, &ancestors, 0);
  return ancestors.found;
}
