// Conversions between numbers and strings: lltostr, with and without a base, and strtoll.
#include "string_words.h"

#define DIGIT_WORDS 3  // a sign and 19 digits

// Prepends a character to a text of up to 24 characters in three words.
DS_LOCAL void prepend_character(u64* words, u64 character) {
  words[2] = words[2] << 8 | words[1] >> 56;
  words[1] = words[1] << 8 | words[0] >> 56;
  words[0] = words[0] << 8 | character;
}

void ds_lltostr(char* destination, u64 sizes, i64 value) {
  u64 words[DIGIT_WORDS] = {0};
  u64 rest = ds_magnitude(value);
  // A 64-bit number has at most 20 digits. The verifier needs the limit.
  for (int i = 0; i < 20; i++) {
    prepend_character(words, '0' + rest % 10);
    rest /= 10;
    if (rest == 0) break;
  }
  if (value < 0) prepend_character(words, '-');
  clear_words(destination, 0, destination_capacity(sizes));
  // The compiler unrolls the three iterations, which makes the offsets constant.
  for (int i = 0; i < DIGIT_WORDS; i++)
    if (i * DS_WORD < (int)destination_capacity(sizes)) store_word(destination, i * DS_WORD, words[i]);
  truncate_string(destination, sizes);
}

#define ANY_BASE_WORDS 9  // 64 binary digits, or a prefix and 22 octal ones

struct digits {
  u64 words[ANY_BASE_WORDS];
  u64 rest;
  u64 base;
};

DS_LOCAL void prepend_digit(struct digits* digits, u64 character) {
  for (int i = ANY_BASE_WORDS - 1; i > 0; i--) digits->words[i] = digits->words[i] << 8 | digits->words[i - 1] >> 56;
  digits->words[0] = digits->words[0] << 8 | character;
}

static long write_digit(u64 index, void* state) {
  struct digits* digits = state;
  (void)index;
  u64 digit = digits->rest % digits->base;
  u64 is_letter = (digit + 246) >> 8;  // 1 from 10 on
  prepend_digit(digits, '0' + digit + is_letter * ('a' - '0' - 10));
  set_unknown(&digits->rest, digits->rest / digits->base);
  return digits->rest == 0;
}

void ds_lltostr_base(char* destination, u64 sizes, i64 value, u64 base) {
  u64 zero = ds_unknown_zero(destination);
  u64 is_negative = base == 10 && value < 0;
  struct digits digits = {.rest = is_negative ? -(u64)value : (u64)value, .base = base};
  for (int i = 0; i < ANY_BASE_WORDS; i++) digits.words[i] = zero;
  bpf_loop(64, write_digit, &digits, 0);
  if (is_negative) prepend_digit(&digits, '-');
  if (base == 16) prepend_digit(&digits, 'x');
  if (base == 16 || base == 8) prepend_digit(&digits, '0');
  clear_words(destination, 0, destination_capacity(sizes));
  for (int i = 0; i < ANY_BASE_WORDS; i++)
    if (i * DS_WORD < (int)destination_capacity(sizes)) store_word(destination, i * DS_WORD, digits.words[i]);
  truncate_string(destination, sizes);
  DS_NO_RESULT();
}

#define BEFORE_NUMBER 0  // white space
#define BEFORE_DIGITS 1
#define AFTER_ZERO 2  // behind a first digit 0, which may begin a prefix
#define IN_DIGITS 3

struct number {
  const char* text;
  u64 capacity;
  u64 base;
  u64 value;
  u64 negative;
  u64 part;
};

DS_LOCAL int is_space(u64 c) { return c == ' ' || c - '\t' <= '\r' - '\t'; }

DS_LOCAL u64 digit_value(u64 c) {
  if (c - '0' <= 9) return c - '0';
  u64 letter = (c | 32) - 'a';
  return letter <= 25 ? letter + 10 : 255;
}

static long read_digit(u64 index, void* state) {
  struct number* number = state;
  if (!ds_within(&index, number->capacity - 1)) return 1;
  u64 c = (u8)number->text[index];
  if (number->part == BEFORE_NUMBER) {
    if (is_space(c)) return 0;
    set_unknown(&number->part, BEFORE_DIGITS);
    set_unknown(&number->negative, c == '-');
    if (c == '-' || c == '+') return 0;
  }
  int may_be_prefix = number->part == AFTER_ZERO && number->base == 16;
  set_unknown(&number->part, number->part == BEFORE_DIGITS && c == '0' ? AFTER_ZERO : IN_DIGITS);
  if (may_be_prefix && (c | 32) == 'x') return 0;
  u64 digit = digit_value(c);
  if (digit >= number->base) return 1;
  set_unknown(&number->value, number->value * number->base + digit);
  return 0;
}

i64 ds_strtoll(const char* text, u64 capacity, u64 base) {
  u64 zero = ds_unknown_zero(text);
  struct number number = {
      .text = text, .capacity = capacity, .base = base, .value = zero, .negative = zero, .part = zero};
  bpf_loop((unsigned)capacity, read_digit, &number, 0);
  return ds_as_unknown((i64)(number.negative ? -number.value : number.value), text);
}
