// String length, comparison and copies: strlen, string operators, assignment, strjoin, substr, suffixes.
#include "string_words.h"

u64 ds_strlen(const char* text, u64 capacity) { return string_length(text, capacity); }

DS_LOCAL i64 compare_words(u64 left, u64 right) { return __builtin_bswap64(left) < __builtin_bswap64(right) ? -1 : 1; }

// Nonzero if one of eight words differs or the strings end in them. One result covers both cases because each exit of
// the loop below costs the verifier about twenty instructions.
DS_LOCAL u64 differs_or_ends(const char* left, const char* right) {
  u64 different = 0;
  for (int i = 0; i < DS_BLOCK; i += DS_WORD) different |= load_word(left, i) ^ load_word(right, i);
  u64 last_byte = load_word(left, DS_BLOCK - DS_WORD) >> 56;
  return different | (last_byte - 1) >> 63;
}

// Finds the block that differs or ends, then the word in it. Between the two steps, `at` becomes unknown to the
// verifier, which then checks the second step only once.
DS_LOCAL i64 compare(const char* left, const char* right, u64 size) {
  u64 at = 0;
  while (at + DS_BLOCK <= size && differs_or_ends(left + at, right + at) == 0) at += DS_BLOCK;
  at = (u64)ds_as_unknown((i64)at, left);
  for (int i = 0; i < DS_BLOCK; i += DS_WORD) {
    if (!ds_within(&at, size - DS_WORD)) break;
    u64 left_word = load_word(left, at), right_word = load_word(right, at);
    if (left_word != right_word) return compare_words(left_word, right_word);
    at += DS_WORD;
  }
  // The shorter buffer holds a terminator, so equal words up to its end are equal strings.
  return 0;
}

i64 ds_strcmp(const char* left, u64 left_capacity, const char* right, u64 right_capacity) {
  u64 size = left_capacity < right_capacity ? left_capacity : right_capacity;
  return ds_as_unknown(compare(left, right, size), left);
}

void ds_clear(char* destination, u64 capacity) { clear_words(destination, 0, capacity); }

void ds_strcpy(char* destination, const char* source, u64 sizes) { copy_string(destination, source, sizes); }

struct append {
  char* destination;
  const char* source;
  u64 last_word;         // offset of the destination's last word
  u64 last_source_word;  // offset of the source's last word
  u64 length;            // of the string in the destination before the append
};

// Appends the word of the source at an offset. Returns 1 when the source or the destination has ended.
DS_LOCAL long append_word(const struct append* append, u64 at) {
  if (!ds_within(&at, append->last_source_word)) return 1;
  u64 word = load_word(append->source, at);
  u64 to = append->length + at;
  if (!ds_within(&to, append->last_word)) {
    // 1 .. 8 bytes of the word are beyond the destination. Two shifts, because a shift by 64 would be undefined.
    u64 beyond = (to - append->last_word - 1) & 7;
    u64 old = load_word(append->destination, append->last_word);
    store_word(append->destination, append->last_word, old | word << (beyond * 8) << 8);
    return 1;
  }
  store_word(append->destination, to, word);
  return ends_in(word);
}

static long append_block(u64 index, void* state) {
  for (u64 i = 0; i < DS_BLOCK; i += DS_WORD)
    if (append_word(state, index * DS_BLOCK + i)) return 1;
  return 0;
}

void ds_strjoin(char* destination, const char* left, const char* right, u64 sizes) {
  copy_string(destination, left, sizes);
  struct append append = {
      .destination = destination,
      .source = right,
      .last_word = destination_capacity(sizes) - DS_WORD,
      .last_source_word = second_capacity(sizes) - DS_WORD,
      .length = string_length(destination, destination_capacity(sizes)),
  };
  bpf_loop((unsigned)(second_capacity(sizes) / DS_BLOCK + 1), append_block, &append, 0);
  truncate_string(destination, sizes);
}

// If the D program passes no count, `count` is strsize.
void ds_substr(char* destination, const char* source, u64 sizes, i64 index, i64 count) {
  clear_words(destination, 0, destination_capacity(sizes));
  i64 length = (i64)string_length(source, first_capacity(sizes));
  i64 start = index < 0 ? length + index : index;
  i64 rest = start >= length ? 0 : length - start;
  if (start < 0) {
    // The positions before the string use up the count. A negative count, which counts from the end, yields nothing.
    count = count < 0 ? 0 : count + start;
    start = 0;
    rest = length;
  } else if (count < 0) {
    count = count < -rest ? 0 : rest + count;
  }
  if (count < 0) count = 0;
  copy_part(destination, source, sizes, (u64)start, (u64)(count < rest ? count : rest));
}

void ds_suffix(char* destination, const char* source, u64 sizes, i64 offset) {
  clear_words(destination, 0, destination_capacity(sizes));
  u64 length = string_length(source, first_capacity(sizes));
  u64 from = (u64)offset > length ? length : (u64)offset;
  copy_part(destination, source, sizes, from, length - from);
}
