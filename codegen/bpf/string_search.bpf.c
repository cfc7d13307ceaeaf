// String searches: strchr, strrchr, index, rindex, strstr, and the backward scan that the path functions use.
//
// All are state machines driven by bpf_loop: the verifier checks its body once, whatever the size of the strings. Each
// iteration scans a few words at once, so a match in the first words, which is usual, needs one iteration.
#include "string_words.h"

#define WORDS_PER_ITERATION 4

struct scan {
  const char* text;
  u64 last_word;  // offset of the last word of the text
  u64 pattern;    // the byte to find, repeated in all bytes
  u64 flip;       // DS_HIGHS to find bytes that differ from it, else 0
  u64 at;         // offset of the next byte to check
  u64 found;      // offset of the match, or NOT_FOUND
};
#define NOT_FOUND (~0ULL)

DS_LOCAL u64 lowest_byte(u64 marks) { return (u64)__builtin_ctzll(marks) / 8; }
DS_LOCAL u64 highest_byte(u64 marks) { return (u64)(63 - __builtin_clzll(marks)) / 8; }
DS_LOCAL u64 iterations_for(u64 capacity) { return capacity / (DS_WORD * WORDS_PER_ITERATION) + 2; }

// Marks each matching byte of a word with 0x80.
DS_LOCAL u64 matches_in(const struct scan* scan, u64 word) { return zero_bytes(word ^ scan->pattern) ^ scan->flip; }

enum outcome { GOES_ON, FOUND, ENDED };

// Scans the word that contains position `at`, from that position upward.
DS_LOCAL enum outcome scan_word_forward(struct scan* scan) {
  u64 at = scan->at;
  u64 base = at & ~7ULL;
  if (!ds_within(&base, scan->last_word)) return ENDED;
  u64 word = load_word(scan->text, base);
  u64 marks = matches_in(scan, word) & ~0ULL << ((at & 7) * 8);
  if (marks != 0) {
    set_unknown(&scan->found, base + lowest_byte(marks));
    return FOUND;
  }
  set_unknown(&scan->at, base + DS_WORD);
  return ends_in(word) ? ENDED : GOES_ON;
}

// Scans the word that contains position `at`, from that position downward.
DS_LOCAL enum outcome scan_word_backward(struct scan* scan) {
  u64 at = scan->at;
  u64 base = at & ~7ULL;
  if (!ds_within(&base, scan->last_word)) return ENDED;
  u64 marks = matches_in(scan, load_word(scan->text, base)) & ~0ULL >> ((~at & 7) * 8);
  if (marks != 0) {
    set_unknown(&scan->found, base + highest_byte(marks));
    return FOUND;
  }
  set_unknown(&scan->at, base - 1);
  return base == 0 ? ENDED : GOES_ON;
}

DS_LOCAL enum outcome scan_block_forward(struct scan* scan) {
  enum outcome outcome = GOES_ON;
  for (int i = 0; i < WORDS_PER_ITERATION && outcome == GOES_ON; i++) outcome = scan_word_forward(scan);
  return outcome;
}

DS_LOCAL enum outcome scan_block_backward(struct scan* scan) {
  enum outcome outcome = GOES_ON;
  for (int i = 0; i < WORDS_PER_ITERATION && outcome == GOES_ON; i++) outcome = scan_word_backward(scan);
  return outcome;
}

static long scan_forward(u64 index, void* state) {
  (void)index;
  return scan_block_forward(state) != GOES_ON;
}

static long scan_backward(u64 index, void* state) {
  (void)index;
  return scan_block_backward(state) != GOES_ON;
}

DS_LOCAL void start_scan(struct scan* scan, const char* text, u64 capacity, u64 match, u64 from) {
  scan->text = text;
  scan->last_word = capacity - DS_WORD;
  scan->pattern = (match & 255) * DS_ONES;
  scan->flip = match & 256 ? DS_HIGHS : 0;
  set_unknown(&scan->at, from);
  set_unknown(&scan->found, NOT_FOUND);
}

i64 ds_strchr(const char* text, u64 capacity, u64 character) {
  struct scan scan;
  start_scan(&scan, text, capacity, character & 255, 0);
  if ((character & 255) != 0) bpf_loop((unsigned)iterations_for(capacity), scan_forward, &scan, 0);
  return (i64)scan.found;
}

i64 ds_find_last(const char* text, u64 capacity, i64 from, u64 match) {
  struct scan scan;
  start_scan(&scan, text, capacity, match, (u64)from);
  if (from >= 0) bpf_loop((unsigned)iterations_for(capacity), scan_backward, &scan, 0);
  return (i64)scan.found;
}

i64 ds_strrchr(const char* text, u64 capacity, u64 character) {
  i64 from = (character & 255) != 0 ? (i64)capacity - 1 : -1;
  return ds_find_last(text, capacity, from, character & 255);
}

// A string search: `scan` finds the first character of the needle, then the search compares the needle's words there.
// An iteration either scans or compares one word, never both, so the verifier need not follow all combinations.
struct search {
  struct scan scan;  // .found: the current candidate
  const char* needle;
  u64 last_needle_word;
  u64 length;   // of the needle
  u64 matched;  // bytes of the needle that match at the candidate so far
  u64 last;     // the last offset at which the needle fits
};

// The eight bytes at any position of the text; bytes beyond its end are zero.
DS_LOCAL u64 word_anywhere(const struct scan* scan, u64 at) {
  u64 beyond = 0;
  if (!ds_within(&at, scan->last_word)) {
    beyond = (at - scan->last_word) & 7;
    at = scan->last_word;
  }
  return load_word(scan->text, at) >> (beyond * 8);
}

// Compares one word of the needle with the text at the candidate.
DS_LOCAL int word_matches(const struct search* search) {
  u64 at = search->matched;
  if (!ds_within(&at, search->last_needle_word)) return 0;
  u64 different = load_word(search->needle, at) ^ word_anywhere(&search->scan, search->scan.found + at);
  return (different & first_bytes(search->length - at)) == 0;
}

// The iteration after a scan found a candidate. Returns 1 when the search is over, with the result in scan.found.
DS_LOCAL long compare_candidate(struct search* search, u64 next) {
  if (word_matches(search)) {
    u64 matched = search->matched + DS_WORD;
    set_unknown(&search->matched, matched);
    return matched >= search->length;
  }
  set_unknown(&search->matched, 0);
  set_unknown(&search->scan.found, NOT_FOUND);
  set_unknown(&search->scan.at, next);
  return 0;
}

static long search_forward(u64 index, void* state) {
  struct search* search = state;
  (void)index;
  if (search->scan.found == NOT_FOUND) return scan_block_forward(&search->scan) == ENDED;
  if (search->scan.found > search->last) {
    set_unknown(&search->scan.found, NOT_FOUND);
    return 1;
  }
  return compare_candidate(search, search->scan.found + 1);
}

// The search starts at or below the last offset at which the needle fits, and ends when `at` drops below 0.
static long search_backward(u64 index, void* state) {
  struct search* search = state;
  (void)index;
  if (search->scan.found == NOT_FOUND) return scan_block_backward(&search->scan) == ENDED;
  return compare_candidate(search, search->scan.found - 1);
}

// Enough iterations for the worst case: a scan and a comparison of the whole needle at each position. The kernel limits
// bpf_loop to 2^23.
DS_LOCAL unsigned iterations_for_search(u64 sizes) {
  u64 iterations = (first_capacity(sizes) + 1) * (second_capacity(sizes) / DS_WORD + 2);
  return (unsigned)(iterations > 1 << 23 ? 1 << 23 : iterations);
}

DS_LOCAL void start_search(struct search* search, const char* text, const char* needle, u64 sizes, u64 start) {
  search->scan.text = text;
  search->scan.last_word = first_capacity(sizes) - DS_WORD;
  search->scan.pattern = (u64)(u8)needle[0] * DS_ONES;
  search->scan.flip = 0;
  search->needle = needle;
  search->last_needle_word = second_capacity(sizes) - DS_WORD;
  set_unknown(&search->scan.at, start);
  set_unknown(&search->scan.found, NOT_FOUND);
  set_unknown(&search->matched, 0);
}

DS_LOCAL i64 find_forward(struct search* search, const char* text, const char* needle, u64 sizes, i64 start) {
  u64 length = string_length(text, first_capacity(sizes));
  search->length = string_length(needle, second_capacity(sizes));
  if (start < 0) start = 0;
  if (search->length > length || (u64)start > length - search->length) return -1;
  if (search->length == 0) return start;
  search->last = length - search->length;
  start_search(search, text, needle, sizes, (u64)start);
  bpf_loop(iterations_for_search(sizes), search_forward, search, 0);
  return (i64)search->scan.found;
}

DS_LOCAL i64 find_backward(struct search* search, const char* text, const char* needle, u64 sizes, i64 start) {
  u64 length = string_length(text, first_capacity(sizes));
  search->length = string_length(needle, second_capacity(sizes));
  if (start < 0 || search->length > length) return -1;
  search->last = length - search->length;
  if ((u64)start > search->last) start = (i64)search->last;
  if (search->length == 0) return start;
  start_search(search, text, needle, sizes, (u64)start);
  bpf_loop(iterations_for_search(sizes), search_backward, search, 0);
  return (i64)search->scan.found;
}

i64 ds_index(const char* text, const char* needle, u64 sizes, i64 start) {
  struct search search;
  return ds_as_unknown(find_forward(&search, text, needle, sizes, start), text);
}

i64 ds_rindex(const char* text, const char* needle, u64 sizes, i64 start) {
  struct search search;
  return ds_as_unknown(find_backward(&search, text, needle, sizes, start), text);
}

i64 ds_strstr(const char* text, const char* needle, u64 sizes) { return ds_index(text, needle, sizes, 0); }
