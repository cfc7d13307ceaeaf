// The arguments of a process as one line, as ps(1) shows them.
#include "string_words.h"

void ds_arguments(char* destination, u64 sizes, u64 start, u64 end) {
  u64 capacity = destination_capacity(sizes);
  clear_words(destination, 0, capacity);
  if (end <= start) return;
  // Without the terminator of the last argument; those of the others become blanks.
  u64 count = ds_at_most(end - start - 1, most_characters(sizes));
  if (bpf_probe_read_user(destination, (unsigned)count, (const void*)start) != 0) return;
  for (u64 at = 0; at < capacity; at += DS_WORD) {
    u64 word = load_word(destination, at);
    u64 blanks = zero_bytes(word) >> 2;
    u64 here = count > at ? count - at : 0;
    store_word(destination, at, word | (blanks & first_bytes(here)));
    DS_KEEP_LOOP();
  }
}
