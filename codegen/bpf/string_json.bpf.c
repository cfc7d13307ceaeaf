// json: finds the start and end of an element's value in a JSON text, in one pass. The result is that part of the text.
//
// The path `a.b[0]["c.d"]` leads from container to container: each component is the key or the index of a member. The
// parser skips all other members. Each iteration reads one character of the text and one of the path, and advances by
// at most one in each. Iterations must be short because the verifier follows every path through one.
#include "string_words.h"

enum json_state {
  AT_ROOT,        // before the outermost { or [
  AT_COMPONENT,   // inside a new container: its path component begins, perhaps with [
  AT_QUOTE,       // behind that [, if any: perhaps a quote
  IN_INDEX,       // in an array: the digits of the component
  AT_KEY,         // in an object: before a key or the end of the object
  IN_KEY,         // between the quotes
  IN_KEY_ESCAPE,  // behind a backslash in a key
  AT_COLON,
  AT_VALUE,      // before a value, or at the end of an empty array
  AT_SEPARATOR,  // the component names this value: behind the component
  BEGIN_VALUE,   // at the value to return, or at a value to skip
  IN_STRING,
  IN_STRING_ESCAPE,
  IN_NUMBER,
  IN_LITERAL,  // true, false, null
  IN_CONTAINER,
  IN_CONTAINER_STRING,
  IN_CONTAINER_ESCAPE,
  AT_COMMA,  // behind a value
  HAS_VALUE,
};

struct json {
  const char* text;
  const char* path;
  u64 last, last_path_byte;  // offsets of the last bytes
  u64 state;
  u64 at, path_at;  // offsets of the characters to read next
  u64 component;    // path offset of the component to find in this container
  u64 end;          // ends the component: ] or " in brackets; 0: either . or [
  u64 remaining;    // in arrays: elements up to and including the named one; 0 in objects
  u64 matches;      // the path names the current member; in a value: it is the value to return
  u64 depth;        // open containers in the current value; in IN_INDEX: the index so far; in IN_LITERAL: the last
                    // eight letters
  u64 from;         // offset of the value's start
};
#define MAX_ELEMENTS 1000000000ULL

// Branch-free; returns 0 or 1.
DS_LOCAL u64 is_same(u64 c, u64 other) { return 1 ^ is_not_zero(c ^ other); }

DS_LOCAL int is_white(u64 c) { return c == ' ' || c - '\t' <= '\r' - '\t'; }
DS_LOCAL u64 opens(u64 c) { return is_same(c, '{') | is_same(c, '['); }
DS_LOCAL u64 closes(u64 c) { return is_same(c, '}') | is_same(c, ']'); }

// `letters` holds up to eight letters, the last in the lowest byte, like a C character constant.
DS_LOCAL u64 is_literal(u64 letters) {
  const u64 true_word = 0x74727565, null_word = 0x6e756c6c, false_word = 0x66616c7365;
  return is_same(letters, true_word) | is_same(letters, null_word) | is_same(letters, false_word);
}

DS_LOCAL u64 ends_component(const struct json* json, u64 p) {
  u64 in_brackets = is_not_zero(json->end);
  u64 plain = is_same(p, 0) | is_same(p, '.') | is_same(p, '[');
  return (in_brackets & is_same(p, json->end)) | ((1 ^ in_brackets) & plain);
}

DS_LOCAL long advance(struct json* json, u64 state, u64 text_step, u64 path_at) {
  set_unknown(&json->state, state);
  set_unknown(&json->at, json->at + text_step);
  set_unknown(&json->path_at, path_at);
  return 0;
}

// The value ended before the offset `at` + `text_step`. Nothing behind it has been read yet.
DS_LOCAL long end_value(struct json* json, u64 text_step) {
  u64 state = json->matches ? HAS_VALUE : AT_COMMA;
  advance(json, state, text_step, json->path_at);
  return state == HAS_VALUE;
}

DS_LOCAL long begin_value(struct json* json, u64 at, u64 c) {
  set_unknown(&json->from, at + is_same(c, '"'));
  set_unknown(&json->depth, 1);
  if (c == '"') return advance(json, IN_STRING, 1, json->path_at);
  if (opens(c)) return advance(json, IN_CONTAINER, 1, json->path_at);
  if (c == '-' || c - '0' <= 9) return advance(json, IN_NUMBER, 1, json->path_at);
  if (c - 'a' > 25) return 1;
  set_unknown(&json->depth, c);
  return advance(json, IN_LITERAL, 1, json->path_at);
}

DS_LOCAL long enter_root(struct json* json, u64 c, u64 p, u64 path_at) {
  if (is_white(c)) return advance(json, AT_ROOT, 1, path_at);
  // An empty path names nothing, not even a member whose key is empty.
  if (opens(c) == 0 || p == 0) return 1;
  set_unknown(&json->remaining, is_same(c, '['));
  return advance(json, AT_COMPONENT, 1, path_at);
}

DS_LOCAL long begin_component(struct json* json, u64 p, u64 path_at) {
  u64 is_bracket = is_same(p, '[');
  set_unknown(&json->end, is_bracket * ']');
  return advance(json, AT_QUOTE, 0, path_at + is_bracket);
}

// After the component's opening bracket, if it has one.
DS_LOCAL long begin_name(struct json* json, u64 p, u64 path_at) {
  u64 is_quote = is_same(p, '"') & is_not_zero(json->end);
  set_unknown(&json->end, json->end - is_quote * (']' - '"'));
  set_unknown(&json->component, path_at + is_quote);
  set_unknown(&json->depth, 0);
  return advance(json, json->remaining != 0 ? IN_INDEX : AT_KEY, 0, path_at + is_quote);
}

DS_LOCAL long read_key(struct json* json, u64 c, u64 p, u64 next) {
  u64 matches = json->matches & is_same(p, c) & (1 ^ ends_component(json, p));
  set_unknown(&json->matches, matches);
  return advance(json, next, 1, json->path_at + matches);
}

DS_LOCAL long read_index(struct json* json, u64 p) {
  if (json->depth > MAX_ELEMENTS) return 1;
  if (p - '0' <= 9) {
    set_unknown(&json->depth, json->depth * 10 + (p - '0'));
    return advance(json, IN_INDEX, 0, json->path_at + 1);
  }
  // A component that is not a number names no array element.
  if (json->path_at == json->component || !ends_component(json, p)) return 1;
  set_unknown(&json->remaining, json->depth + 1);
  return advance(json, AT_VALUE, 0, json->path_at);
}

// Behind the component: either the path ends, or it leads into a container.
DS_LOCAL long pass_separator(struct json* json, u64 c, u64 p) {
  if (p == 0) return advance(json, BEGIN_VALUE, 0, json->path_at);
  if ((is_same(p, '.') | is_same(p, '[')) == 0 || opens(c) == 0) return 1;
  set_unknown(&json->remaining, is_same(c, '['));
  return advance(json, AT_COMPONENT, 1, json->path_at + is_same(p, '.'));
}

DS_LOCAL long find_value(struct json* json) {
  if (json->remaining != 0) {
    set_unknown(&json->remaining, json->remaining - 1);
    set_unknown(&json->matches, is_same(json->remaining, 0));
  }
  if (!json->matches) return advance(json, BEGIN_VALUE, 0, json->path_at);
  // Skips the component's closing bracket and quote.
  u64 closing = is_same(json->end, ']') + 2 * is_same(json->end, '"');
  return advance(json, AT_SEPARATOR, 0, json->path_at + closing);
}

static long read_json(u64 index, void* state) {
  struct json* json = state;
  (void)index;
  u64 at = json->at, path_at = json->path_at;
  if (!ds_within(&at, json->last) || !ds_within(&path_at, json->last_path_byte)) return 1;
  u64 c = (u8)json->text[at], p = (u8)json->path[path_at];
  if (c == 0) return 1;
  switch (json->state) {
    case AT_ROOT: return enter_root(json, c, p, path_at);
    case AT_COMPONENT: return begin_component(json, p, path_at);
    case AT_QUOTE: return begin_name(json, p, path_at);
    case IN_INDEX: return read_index(json, p);
    case AT_KEY:
      if (is_white(c)) return advance(json, AT_KEY, 1, path_at);
      if (c != '"') return 1;
      set_unknown(&json->matches, 1);
      return advance(json, IN_KEY, 1, json->component);
    case IN_KEY:
      if (c != '"') return read_key(json, c, p, c == '\\' ? IN_KEY_ESCAPE : IN_KEY);
      set_unknown(&json->matches, json->matches & ends_component(json, p));
      return advance(json, AT_COLON, 1, path_at);
    case IN_KEY_ESCAPE: return read_key(json, c, p, IN_KEY);
    case AT_COLON:
      if (is_white(c)) return advance(json, AT_COLON, 1, path_at);
      return c == ':' ? advance(json, AT_VALUE, 1, path_at) : 1;
    case AT_VALUE: return is_white(c) ? advance(json, AT_VALUE, 1, path_at) : find_value(json);
    case AT_SEPARATOR: return pass_separator(json, c, p);
    case BEGIN_VALUE: return begin_value(json, at, c);
    case IN_STRING:
      if (c == '"') return end_value(json, 1 ^ json->matches);
      return advance(json, c == '\\' ? IN_STRING_ESCAPE : IN_STRING, 1, path_at);
    case IN_STRING_ESCAPE: return advance(json, IN_STRING, 1, path_at);
    case IN_NUMBER:
      if (c == ',' || closes(c) || is_white(c)) return end_value(json, 0);
      return advance(json, IN_NUMBER, 1, path_at);
    case IN_LITERAL:
      if (c == ',' || closes(c) || is_white(c)) return is_literal(json->depth) ? end_value(json, 0) : 1;
      set_unknown(&json->depth, json->depth << 8 | c);
      return advance(json, IN_LITERAL, 1, path_at);
    case IN_CONTAINER:
      set_unknown(&json->depth, json->depth + opens(c) - closes(c));
      if (json->depth == 0) return end_value(json, 1);
      return advance(json, c == '"' ? IN_CONTAINER_STRING : IN_CONTAINER, 1, path_at);
    case IN_CONTAINER_STRING:
      if (c == '\\') return advance(json, IN_CONTAINER_ESCAPE, 1, path_at);
      return advance(json, c == '"' ? IN_CONTAINER : IN_CONTAINER_STRING, 1, path_at);
    case IN_CONTAINER_ESCAPE: return advance(json, IN_CONTAINER_STRING, 1, path_at);
    case AT_COMMA:
      if (is_white(c)) return advance(json, AT_COMMA, 1, path_at);
      return c == ',' ? advance(json, json->remaining != 0 ? AT_VALUE : AT_KEY, 1, path_at) : 1;
  }
  return 1;
}

i64 ds_json(char* destination, const char* text, u64 sizes, const char* path) {
  clear_words(destination, 0, destination_capacity(sizes));
  struct json json = {.text = text,
                      .path = path,
                      .last = first_capacity(sizes) - 1,
                      .last_path_byte = second_capacity(sizes) - 1,
                      .state = AT_ROOT + ds_unknown_zero(text),
                      .at = ds_unknown_zero(text),
                      .path_at = ds_unknown_zero(text),
                      .component = ds_unknown_zero(text),
                      .end = ds_unknown_zero(text),
                      .remaining = ds_unknown_zero(text),
                      .matches = ds_unknown_zero(text),
                      .depth = ds_unknown_zero(text),
                      .from = ds_unknown_zero(text)};
  // Besides one iteration per character, each value needs two and each path component three.
  u64 iterations = 3 * first_capacity(sizes) + 4 * second_capacity(sizes);
  bpf_loop((unsigned)iterations, read_json, &json, 0);
  if (json.state != HAS_VALUE) return ds_as_unknown(-1, text);
  copy_part(destination, text, sizes, json.from, json.at - json.from);
  return ds_as_unknown(0, text);
}
