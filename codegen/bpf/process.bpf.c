// Processes and time: progenyof, chill.
#include "contract/record_format.h"
#include "support.h"

#define MAX_ANCESTORS 256

struct ancestors {
  u64 task;
  u64 offsets;
  u64 pid;
  u64 found;
};

static long check_ancestor(u64 index, void* state) {
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
  bpf_loop(MAX_ANCESTORS, check_ancestor, &ancestors, 0);
  return ancestors.found;
}

#define MAX_FRAME_BYTES (8ULL << 20)
#define SIGNAL_RETURN 0x0f0000000fc0c748ULL  // mov $__NR_rt_sigreturn,%rax and the first byte of syscall

// The byte that lies `distance` bytes before the end of `word`.
DS_LOCAL u64 byte_before_end(u64 word, int distance) { return word >> (8 - distance) * 8 & 0xff; }

// Whether the last bytes of `code` are a near call: e8 and an offset, or ff /2 with its operand of 0, 1, 2, 4 or 5
// bytes.
DS_LOCAL int ends_with_call(u64 code) {
  int is_call = byte_before_end(code, 5) == 0xe8;
#define DS_ENDS_WITH_INDIRECT_CALL(length) \
  (byte_before_end(code, length) == 0xff && (byte_before_end(code, (length) - 1) & 0x38) == 0x10)
  is_call |= DS_ENDS_WITH_INDIRECT_CALL(2);
  is_call |= DS_ENDS_WITH_INDIRECT_CALL(3);
  is_call |= DS_ENDS_WITH_INDIRECT_CALL(4);
  is_call |= DS_ENDS_WITH_INDIRECT_CALL(6);
  is_call |= DS_ENDS_WITH_INDIRECT_CALL(7);
  return is_call;
}

u64 ds_confirmed_caller(u64 address, u64 frame_pointer, u64 stack_pointer) {
  u64 code = 0;
  if (address < sizeof code || frame_pointer - stack_pointer > MAX_FRAME_BYTES) return 0;
  if (bpf_probe_read_user(&code, sizeof code, (const void*)(address - sizeof code)) == 0 && ends_with_call(code))
    return address;
  if (bpf_probe_read_user(&code, sizeof code, (const void*)address) == 0 && code == SIGNAL_RETURN) return address;
  return 0;
}

// The maximum number of iterations of bpf_loop is too small for the longest wait if each iteration reads the clock
// once, so each reads it several times.
#define MAX_ITERATIONS (1u << 23)
#define POLLS_PER_ITERATION 16

static long poll_clock(u64 index, void* state) {
  const u64* end = state;
  (void)index;
  for (int i = 0; i < POLLS_PER_ITERATION; ++i)
    if (bpf_ktime_get_ns() >= *end) return 1;
  return 0;
}

u64 ds_wait(struct ds_chill* budget, u64 nanoseconds) {
  u64 now = bpf_ktime_get_ns();
  if (now - budget->since >= DS_CHILL_PERIOD_NS) {
    budget->since = now;
    budget->used_ns = 0;
  }
  if (nanoseconds > DS_MAX_CHILL_NS || budget->used_ns + nanoseconds > DS_MAX_CHILL_NS) return 1;
  budget->used_ns += nanoseconds;
  u64 end = now + nanoseconds;
  bpf_loop(MAX_ITERATIONS, poll_clock, &end, 0);
  return 0;
}
