// speculation(): a free id of the table that programs and consumer share.
#include "support.h"

#include "contract/record_format.h"

struct choice {
  struct ds_speculation* table;
  u64 count;
  i64 id;  // what to return
};

static long try_speculation(u64 index, void* state) {
  struct choice* choice = state;
  if (!ds_within(&index, choice->count - 1)) return 1;
  struct ds_speculation* entry = &choice->table[index];
  // Whoever moves it on from FREE is alone with it until it is ACTIVE.
  u64 seen = __sync_val_compare_and_swap(&entry->state, DS_SPECULATION_FREE, DS_SPECULATION_TAKEN);
  if (seen == DS_SPECULATION_COMMITTED) choice->id = DS_SPECULATIONS_BUSY;
  if (seen != DS_SPECULATION_FREE) return 0;
  entry->generation++;
  entry->bytes = 0;
  *(volatile ds_u64*)&entry->state = DS_SPECULATION_ACTIVE;
  choice->id = (i64)index + 1;
  return 1;
}

i64 ds_allocate_speculation(struct ds_speculation* table, u64 count) {
  struct choice choice = {.table = table, .count = count, .id = 0};
  if (count != 0) bpf_loop((unsigned)count, try_speculation, &choice, 0);
  return ds_as_unknown(choice.id, table);
}
