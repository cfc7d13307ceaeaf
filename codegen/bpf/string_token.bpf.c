// strtok: extracts one token of a string, starting at an offset.
#include "string_words.h"

struct tokens {
  const char* text;
  u64 last;  // offset of the last byte of the text
  const char* delimiters;
  u64 last_delimiter;
  u64 set[4];  // a bit per character, set if the character is a delimiter
  u64 at;      // offset of the next character to read
  u64 start;   // offset of the token, or NO_TOKEN
};
#define NO_TOKEN (~0ULL)

static long add_delimiter(u64 index, void* state) {
  struct tokens* tokens = state;
  if (!ds_within(&index, tokens->last_delimiter)) return 1;
  u64 c = (u8)tokens->delimiters[index];
  for (u64 i = 0; i < 4; i++) {
    u64 is_here = 1 ^ is_not_zero(c >> 6 ^ i);
    set_unknown(&tokens->set[i], tokens->set[i] | is_here << (c & 63));
  }
  return c == 0;
}

DS_LOCAL u64 is_delimiter(const struct tokens* tokens, u64 c) {
  u64 bits = 0;
  for (u64 i = 0; i < 4; i++) bits |= tokens->set[i] >> (c & 63) & (1 ^ is_not_zero(c >> 6 ^ i));
  return bits & 1;
}

// The terminator is a delimiter too: add_delimiter puts it into every set.
static long read_character(u64 index, void* state) {
  struct tokens* tokens = state;
  (void)index;
  u64 at = tokens->at;
  if (!ds_within(&at, tokens->last)) return 1;
  u64 c = (u8)tokens->text[at];
  if (is_delimiter(tokens, c)) {
    if (c == 0 || tokens->start != NO_TOKEN) return 1;
  } else if (tokens->start == NO_TOKEN) {
    set_unknown(&tokens->start, at);
  }
  set_unknown(&tokens->at, at + 1);
  return 0;
}

i64 ds_strtok(char* destination, const char* text, u64 sizes, const char* delimiters, u64 from) {
  u64 zero = ds_unknown_zero(text);
  clear_words(destination, 0, destination_capacity(sizes));
  struct tokens tokens = {.text = text,
                          .last = first_capacity(sizes) - 1,
                          .delimiters = delimiters,
                          .last_delimiter = second_capacity(sizes) - 1,
                          .set = {zero, zero, zero, zero},
                          .at = from,
                          .start = NO_TOKEN - zero};
  bpf_loop((unsigned)second_capacity(sizes), add_delimiter, &tokens, 0);
  bpf_loop((unsigned)first_capacity(sizes), read_character, &tokens, 0);
  if (tokens.start == NO_TOKEN) return ds_as_unknown(-1, text);
  copy_part(destination, text, sizes, tokens.start, tokens.at - tokens.start);
  // The next search starts behind the delimiter that ended this token. Behind the terminator it finds nothing.
  return ds_as_unknown((i64)tokens.at + 1, text);
}
