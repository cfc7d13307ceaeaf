// speculation(): allocates a free id in the table that the programs share with the consumer.
#include "support.h"

#include "contract/record_format.h"

struct id_search {
  struct ds_speculation* table;
  u64 count;
  i64 id;  // the result of speculation()
};

static long try_entry(u64 index, void* state) {
  struct id_search* search = state;
  if (!ds_within(&index, search->count - 1)) return 1;
  struct ds_speculation* entry = &search->table[index];
  // The program that moves an entry on from FREE owns it exclusively until it is ACTIVE.
  u64 seen = __sync_val_compare_and_swap(&entry->state, DS_SPECULATION_FREE, DS_SPECULATION_TAKEN);
  if (seen == DS_SPECULATION_COMMITTED) search->id = DS_SPECULATIONS_BUSY;
  if (seen != DS_SPECULATION_FREE) return 0;
  entry->generation++;
  entry->bytes = 0;
  *(volatile ds_u64*)&entry->state = DS_SPECULATION_ACTIVE;
  search->id = (i64)index + 1;
  return 1;
}

i64 ds_allocate_speculation(struct ds_speculation* table, u64 count) {
  struct id_search search = {.table = table, .count = count, .id = 0};
  if (count != 0) bpf_loop((unsigned)count, try_entry, &search, 0);
  return ds_as_unknown(search.id, table);
}
