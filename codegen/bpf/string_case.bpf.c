// toupper and tolower: ASCII letters, eight at a time.
#include "string_words.h"

struct letters {
  char* text;
  u64 last_word;
  u64 first;  // 'a' or 'A' in all bytes: the start of the range to change
};

// Flips the case of the bytes in first .. first + 25. All sums stay below 256, so no byte disturbs the next one.
DS_LOCAL u64 flip_case(u64 word, u64 first) {
  u64 low = word & DS_LOWS;
  u64 at_least_first = low + (DS_HIGHS - first);
  u64 beyond_last = low + (DS_HIGHS - first - 26 * DS_ONES);
  return word ^ ((at_least_first & ~beyond_last & ~word & DS_HIGHS) >> 2);
}

static long flip_block(u64 index, void* state) {
  struct letters* letters = state;
  for (u64 i = 0; i < DS_BLOCK; i += DS_WORD) {
    u64 at = index * DS_BLOCK + i;
    if (!ds_within(&at, letters->last_word)) return 1;
    u64 word = load_word(letters->text, at);
    store_word(letters->text, at, flip_case(word, letters->first));
    if (ends_in(word)) return 1;
  }
  return 0;
}

DS_LOCAL void copy_flipped(char* destination, const char* source, u64 sizes, u64 first) {
  struct letters letters = {
      .text = destination, .last_word = destination_capacity(sizes) - DS_WORD, .first = first * DS_ONES};
  copy_string(destination, source, sizes);
  bpf_loop((unsigned)(destination_capacity(sizes) / DS_BLOCK + 1), flip_block, &letters, 0);
}

void ds_toupper(char* destination, const char* source, u64 sizes) { copy_flipped(destination, source, sizes, 'a'); }

void ds_tolower(char* destination, const char* source, u64 sizes) { copy_flipped(destination, source, sizes, 'A'); }
