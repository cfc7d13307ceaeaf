// Building blocks of the string functions, which process zero-padded strings eight characters (one word) at a time. All
// of them are inlined into the functions of support.h.
#pragma once

#include "support.h"

#define DS_WORD 8
#define DS_BLOCK 64
#define DS_ONES 0x0101010101010101ULL
#define DS_LOWS 0x7f7f7f7f7f7f7f7fULL
#define DS_HIGHS 0x8080808080808080ULL

// The four sizes of one call, as packed by DS_SIZES.
DS_LOCAL u64 destination_capacity(u64 sizes) { return DS_DESTINATION_OF(sizes); }
DS_LOCAL u64 max_characters(u64 sizes) { return sizes >> 15 & 0x3ffff; }
DS_LOCAL u64 first_capacity(u64 sizes) { return DS_FIRST_OF(sizes); }
DS_LOCAL u64 second_capacity(u64 sizes) { return DS_SECOND_OF(sizes); }

DS_LOCAL u64 load_word(const char* text, u64 offset) { return *(const ds_word*)(text + offset); }
DS_LOCAL void store_word(char* text, u64 offset, u64 word) { *(ds_word*)(text + offset) = word; }

// If a word of a zero-padded string contains the terminator, its last byte is zero.
DS_LOCAL int ends_in(u64 word) { return word >> 56 == 0; }

// Marks each zero byte of `word` with 0x80 in the result; exact for every byte.
DS_LOCAL u64 zero_bytes(u64 word) { return ~(((word & DS_LOWS) + DS_LOWS) | word | DS_LOWS); }

// A mask of the first `count` (0 .. 8) bytes of a word.
DS_LOCAL u64 first_bytes(u64 count) { return count >= DS_WORD ? ~0ULL : (1ULL << (count * 8)) - 1; }

// Sets a variable that changes from iteration to iteration, and keeps its value unknown to the verifier (see
// ds_unknown_zero). Every path through an iteration then ends in the same state, and the verifier prunes the second
// iteration.
DS_LOCAL void set_unknown(u64* variable, u64 value) { *variable = (u64)ds_as_unknown((i64)value, variable); }

// 1 if the number (below 2^63) is not zero, else 0. Computed by arithmetic that is hidden from LLVM, because a branch
// (and since Linux 6.18 also a mask made by an arithmetic shift) would double the paths that the verifier follows.
DS_LOCAL u64 is_not_zero(u64 value) {
  u64 negative = -value;
  DS_HIDE(negative);
  u64 bit = negative >> 63;
  DS_HIDE(bit);
  return bit;
}

DS_LOCAL u64 is_set(char byte) { return is_not_zero((u8)byte); }

// Because strings are zero-padded, "byte i is set" is true up to the length and false behind it, so a binary search
// finds the length. If the capacity is not a power of two, two windows of power-of-two size cover it, one from each
// end.
DS_LOCAL u64 string_length(const char* text, u64 capacity) {
  u64 window = DS_WORD;
  while (window * 2 <= capacity) window *= 2;
  u64 length = is_set(text[window - 1]) * (capacity - window);
  for (u64 step = window / 2; step > 0; step /= 2) length += is_set((text + length)[step - 1]) * step;
  return length;
}

DS_LOCAL void clear_words(char* text, u64 from, u64 capacity) {
  while (from + DS_BLOCK <= capacity) {
    for (int i = 0; i < DS_BLOCK; i += DS_WORD) store_word(text, from + i, 0);
    from += DS_BLOCK;
    DS_KEEP_LOOP();
  }
  while (from < capacity) {
    store_word(text, from, 0);
    from += DS_WORD;
    DS_KEEP_LOOP();
  }
}

DS_LOCAL void copy_words(char* destination, const char* source, u64 size) {
  u64 at = 0;
  while (at + DS_BLOCK <= size) {
    for (int i = 0; i < DS_BLOCK; i += DS_WORD) store_word(destination, at + i, load_word(source, at + i));
    at += DS_BLOCK;
    DS_KEEP_LOOP();
  }
  while (at < size) {
    store_word(destination, at, load_word(source, at));
    at += DS_WORD;
    DS_KEEP_LOOP();
  }
}

// Truncates a string to its maximum number of characters.
DS_LOCAL void truncate_string(char* text, u64 sizes) {
  u64 last = max_characters(sizes) & ~7ULL;
  store_word(text, last, load_word(text, last) & first_bytes(max_characters(sizes) & 7));
  clear_words(text, last + DS_WORD, destination_capacity(sizes));
}

DS_LOCAL void copy_string(char* destination, const char* source, u64 sizes) {
  u64 capacity = destination_capacity(sizes);
  u64 size = first_capacity(sizes) < capacity ? first_capacity(sizes) : capacity;
  copy_words(destination, source, size);
  clear_words(destination, size, capacity);
  truncate_string(destination, sizes);
}

// Copies `count` characters of the first source from position `from` to a cleared destination. The address may be
// unaligned, and the length is known only at run time. The kernel's helper copies them in one step, whereas the
// verifier would check a loop iteration by iteration.
DS_LOCAL void copy_part(char* destination, const char* source, u64 sizes, u64 from, u64 count) {
  from = ds_at_most(from, first_capacity(sizes) - 1);
  count = ds_at_most(count, max_characters(sizes));
  bpf_probe_read_kernel(destination, (unsigned)count, source + from);
}
