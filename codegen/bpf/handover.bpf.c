// Which of two runs counts an event while one replaces the other (struct ds_handover).
#include "support.h"

#include "contract/record_format.h"

// Threads are independent of each other, and so are CPUs in their idle threads.
static u64 decision_index(u64 thread, u64 cpu, u64 slot) {
  u64 who = thread != 0 ? thread : ~cpu;
  return ((who * 0x9e3779b97f4a7c15ull) ^ (slot * 0xc2b2ae3d27d4eb4full)) >> 20;
}

static int follows(volatile u8* counted, u64 index, u64 is_first, u64 owns) {
  if (!ds_within(&index, DS_HANDOVER_DECISIONS - 1)) return 0;
  if (is_first) counted[index] = (u8)owns;
  else owns = counted[index] == 0;
  return (int)owns;
}

// The program that runs second looks at the decision only after the owner has changed. Until then the old run counts,
// whether or not the program of the new one has been attached already.
i64 ds_counts_in_handover(struct ds_handover* shared, u64 activity, u64 thread, u64 cpu, u64 role) {
  u64 order = role >> 32, slot = role & 0xffffffff;
  u64 is_new = activity == DS_ACTIVITY_TAKING_OVER;
  u64 has_changed = *(volatile ds_u64*)&shared->owner == DS_OWNER_NEW;
  u64 owns = has_changed == is_new;
  u64 index = decision_index(thread, cpu, slot) & (DS_HANDOVER_DECISIONS - 1);
  if (order == DS_ORDER_OLD_FIRST && (!is_new || has_changed))
    owns = (u64)follows(shared->counted_by_old, index, !is_new, owns);
  else if (order == DS_ORDER_NEW_FIRST && (is_new || has_changed))
    owns = (u64)follows(shared->counted_by_new, index, is_new, owns);
  return ds_as_unknown((i64)owns, shared);
}
