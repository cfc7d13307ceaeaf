// Joins the strings in a block of memory into one string: for the arguments of a process, as ps(1) shows them, and for
// memstr().
#include "string_words.h"

struct memory_text {
  char* text;
  u64 last_word;
  u64 separator;
  u64 count;
  u64 has_ended;  // the separator is NUL, and a NUL has been seen
};

// Replaces the NULs among the first `count` bytes by separators. If the separator is NUL too, the first NUL ends the
// string, and the bytes behind it become zero.
DS_LOCAL u64 with_separators(struct memory_text* memory, u64 at, u64 word) {
  u64 zeros = zero_bytes(word);
  u64 here = memory->count > at ? memory->count - at : 0;
  if (memory->separator != 0) return word | ((zeros >> 7) * memory->separator & first_bytes(here));
  u64 kept = memory->has_ended ? 0 : zeros == 0 ? ~0ULL : (zeros - 1) & ~zeros;
  memory->has_ended |= zeros;
  return word & kept;
}

static long separate_block(u64 index, void* state) {
  struct memory_text* memory = state;
  for (u64 i = 0; i < DS_BLOCK; i += DS_WORD) {
    u64 at = index * DS_BLOCK + i;
    if (!ds_within(&at, memory->last_word)) return 1;
    store_word(memory->text, at, with_separators(memory, at, load_word(memory->text, at)));
  }
  return 0;
}

void ds_memstr(char* text, u64 sizes, u64 separator, u64 count) {
  struct memory_text memory = {.text = text,
                               .last_word = destination_capacity(sizes) - DS_WORD,
                               .separator = separator & 0xff,
                               .count = count,
                               .has_ended = 0};
  bpf_loop((unsigned)(destination_capacity(sizes) / DS_BLOCK + 1), separate_block, &memory, 0);
}

void ds_arguments(char* destination, u64 sizes, u64 start, u64 end) {
  u64 capacity = destination_capacity(sizes);
  clear_words(destination, 0, capacity);
  if (end <= start) return;
  // Excludes the terminator of the last argument. The terminators of the others become blanks.
  u64 count = ds_at_most(end - start - 1, max_characters(sizes));
  if (bpf_probe_read_user(destination, (unsigned)count, (const void*)start) != 0) return;
  ds_memstr(destination, sizes, ' ', count);
}

void ds_other_arguments(char* destination, u64 sizes, u64 length, u64 first, u64 second) {
  u64 capacity = destination_capacity(sizes);
  clear_words(destination, 0, capacity);
  if (length == 0) return;
  u64 count = ds_at_most(length - 1, max_characters(sizes));
  if (ds_copy_user(destination, capacity * 2, count, first, second) != 0) {
    clear_words(destination, 0, capacity);
    return;
  }
  ds_memstr(destination, sizes, ' ', count);
}
