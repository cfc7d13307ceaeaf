// Network addresses as text: inet_ntoa, inet_ntoa6, link_ntop.
//
// The functions build a text from its end to its start in a few words and prepend one piece at a time. They do so
// without branches, so the verifier follows a single path.
#include "string_words.h"

#define TEXT_WORDS 5  // eight groups of four digits with colons between them: 39 characters
#define GROUPS 8

struct text {
  u64 words[TEXT_WORDS];
};

// Prepends `length` characters (0 .. 7). The first character is in the lowest byte of `piece`.
DS_LOCAL void prepend(struct text* text, u64 piece, u64 length) {
  u64 shift = length * 8;
  for (int i = TEXT_WORDS - 1; i > 0; i--)
    text->words[i] = text->words[i] << shift | text->words[i - 1] >> 8 >> (56 - shift);
  text->words[0] = text->words[0] << shift | piece;
}

DS_LOCAL void store_text(char* destination, u64 sizes, const struct text* text) {
  clear_words(destination, 0, destination_capacity(sizes));
  for (int i = 0; i < TEXT_WORDS; i++)
    if (i * DS_WORD < (int)destination_capacity(sizes)) store_word(destination, i * DS_WORD, text->words[i]);
  truncate_string(destination, sizes);
}

// Prepends a byte in decimal and, unless `separator` is 0, the separator behind it.
DS_LOCAL void prepend_decimal(struct text* text, u64 byte, u64 separator) {
  DS_HIDE(byte);
  u64 digits = ('0' + byte / 100) | ('0' + byte / 10 % 10) << 8 | ('0' + byte % 10) << 16 | separator << 24;
  u64 length = 1 + ((byte + 246) >> 8) + ((byte + 156) >> 8);  // one more from 10 on, and from 100 on
  prepend(text, digits >> ((3 - length) * 8), length + is_not_zero(separator));
}

DS_LOCAL void prepend_ipv4(struct text* text, const char* address) {
  for (int i = 3; i >= 0; i--) prepend_decimal(text, (u8)address[i], i < 3 ? '.' : 0);
}

void ds_inet_ntoa(char* destination, const char* address, u64 sizes) {
  struct text text = {{0}};
  prepend_ipv4(&text, address);
  store_text(destination, sizes, &text);
  DS_NO_RESULT();
}

DS_LOCAL u64 group_at(const char* address, int i) { return (u64)(u8)address[2 * i] << 8 | (u8)address[2 * i + 1]; }

DS_LOCAL u64 hex_digit(u64 nibble) {
  u64 is_letter = (nibble + 6) >> 4;
  return '0' + nibble + is_letter * ('a' - '0' - 10);
}

// The longest run of at least two zero groups, as a mask with a bit per group; the first one on a tie.
DS_LOCAL u64 longest_run(u64 zeroes) {
  // Bit i of `starts` is set if a run of `length` + 1 groups starts at group i.
  u64 starts = zeroes, best = 0, length = 0;
  for (int i = 1; i < GROUPS; i++) {
    starts &= zeroes >> i;
    u64 is_longer = is_not_zero(starts);
    best ^= (best ^ starts) & -is_longer;
    length += is_longer;
  }
  u64 first = best & -best;
  return first * ((2ULL << length) - 1);
}

// Prepends a group in hexadecimal without leading zeros, or "::" at the start of the zero run, or nothing in its rest.
DS_LOCAL void prepend_group(struct text* text, u64 group, u64 run, int i) {
  u64 digits = hex_digit(group >> 12) | hex_digit(group >> 8 & 15) << 8 | hex_digit(group >> 4 & 15) << 16 |
               hex_digit(group & 15) << 24;
  u64 length = 1 + is_not_zero(group >> 4) + is_not_zero(group >> 8) + is_not_zero(group >> 12);
  u64 in_run = run >> i & 1, starts_run = in_run & ~(run << 1 >> i);
  u64 has_colon = i == GROUPS - 1 ? 0 : 1 & ~(run >> (i + 1));
  u64 piece = digits >> ((4 - length) * 8) | (u64)':' << (length * 8);
  u64 shown = length + has_colon;
  piece &= (1ULL << (shown * 8)) - 1;
  u64 gap = (':' | ':' << 8) & -starts_run;
  prepend(text, piece ^ ((piece ^ gap) & -in_run), shown ^ ((shown ^ starts_run * 2) & -in_run));
}

DS_LOCAL void prepend_ipv6(struct text* text, const char* address) {
  u64 zeroes = 0;
  for (int i = 0; i < GROUPS; i++) zeroes |= (1 ^ is_not_zero(group_at(address, i))) << i;
  u64 run = longest_run(zeroes);
  for (int i = GROUPS - 1; i >= 0; i--) prepend_group(text, group_at(address, i), run, i);
}

void ds_inet_ntoa6(char* destination, const char* address, u64 sizes, u64 strict) {
  struct text text = {{0}};
  u64 high = load_word(address, 0), fifth = group_at(address, 4), sixth = group_at(address, 5);
  u64 rest = group_at(address, 6) << 16 | group_at(address, 7);
  int is_mapped = sixth == 0xffff, is_compatible = sixth == 0 && rest > 1;
  if (high == 0 && fifth == 0 && (is_mapped || is_compatible)) {
    prepend_ipv4(&text, address + 12);
    if (strict && is_mapped) prepend(&text, 0x3a666666663a3aULL, 7);  // "::ffff:"
    else if (strict) prepend(&text, ':' | ':' << 8, 2);
  } else {
    prepend_ipv6(&text, address);
  }
  store_text(destination, sizes, &text);
  DS_NO_RESULT();
}

DS_LOCAL void store_at(char* destination, u64 sizes, u64 at, u64 character) {
  if (at < destination_capacity(sizes)) destination[at] = (char)character;
}

void ds_link_ntop(char* destination, const char* address, u64 sizes, u64 bytes) {
  clear_words(destination, 0, destination_capacity(sizes));
  for (u64 i = 0; i < DS_LINK_ADDRESS && i < bytes; i++) {
    u64 byte = (u8)address[i];
    if (i > 0) store_at(destination, sizes, 3 * i - 1, ':');
    store_at(destination, sizes, 3 * i, hex_digit(byte >> 4));
    store_at(destination, sizes, 3 * i + 1, hex_digit(byte & 15));
    DS_KEEP_LOOP();
  }
  truncate_string(destination, sizes);
}
