// json: where the value of an element lies in a JSON text. One pass over the text; the value is a part of it, so
// finding where it starts and ends is all there is to do.
//
// The path `a.b[0]["c.d"]` leads from container to container: each of its components is the key or the number of a
// member. Members that the path does not name are passed over, whatever they hold. Each turn of the loop looks at one
// character of the text and one of the path, and goes on by at most one in each: turns must be short, as the verifier
// follows every way through one.
#include "string_words.h"

enum json_state {
  AT_ROOT,        // before the outermost { or [
  AT_COMPONENT,   // a container was entered: its component of the path begins, perhaps with [
  AT_QUOTE,       // ... and perhaps with a quote
  IN_INDEX,       // in an array: the digits of the component
  AT_KEY,         // in an object: a key comes, or the object ends
  IN_KEY,         // between the quotes
  IN_KEY_ESCAPE,  // behind a backslash there
  AT_COLON,
  AT_VALUE,      // a value comes, or an empty array ends
  AT_SEPARATOR,  // the path names the value: behind the component
  BEGIN_VALUE,   // one that is wanted, or one to pass over
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
  u64 last, last_of_path;  // offsets of the last bytes
  u64 state;
  u64 at, path_at;  // the characters to look at
  u64 component;    // offset in the path of the component to be found in this container
  u64 end;          // the character that ends it: ] or " in brackets; 0: one of . and [
  u64 to_pass;      // 0 in objects; in arrays: elements up to the one wanted, itself included
  u64 agrees;       // the path names the member at hand; of a value: it is the one wanted
  u64 depth;        // containers open within the value at hand; in IN_INDEX the number so far; the last eight letters
                    // of a literal
  u64 from;         // where the value starts
};
#define MOST_ELEMENTS 1000000000ULL

// 1 or 0, without a branch.
DS_LOCAL u64 is_same(u64 c, u64 other) { return 1 ^ is_not_zero(c ^ other); }

DS_LOCAL int is_white(u64 c) { return c == ' ' || c - '\t' <= '\r' - '\t'; }
DS_LOCAL u64 opens(u64 c) { return is_same(c, '{') | is_same(c, '['); }
DS_LOCAL u64 closes(u64 c) { return is_same(c, '}') | is_same(c, ']'); }

// Of at most eight letters, the last one lowest: as character constants of C are.
DS_LOCAL u64 is_literal(u64 letters) {
  const u64 true_word = 0x74727565, null_word = 0x6e756c6c, false_word = 0x66616c7365;
  return is_same(letters, true_word) | is_same(letters, null_word) | is_same(letters, false_word);
}

DS_LOCAL u64 ends_component(const struct json* json, u64 p) {
  u64 in_brackets = is_not_zero(json->end);
  u64 plain = is_same(p, 0) | is_same(p, '.') | is_same(p, '[');
  return (in_brackets & is_same(p, json->end)) | ((1 ^ in_brackets) & plain);
}

DS_LOCAL long go(struct json* json, u64 state, u64 text_step, u64 path_at) {
  set_unknown(&json->state, state);
  set_unknown(&json->at, json->at + text_step);
  set_unknown(&json->path_at, path_at);
  return 0;
}

// The value ended before offset `at` of the text; nothing of what follows it has been read.
DS_LOCAL long end_value(struct json* json, u64 text_step) {
  u64 state = json->agrees ? HAS_VALUE : AT_COMMA;
  go(json, state, text_step, json->path_at);
  return state == HAS_VALUE;
}

DS_LOCAL long begin_value(struct json* json, u64 at, u64 c) {
  set_unknown(&json->from, at + is_same(c, '"'));
  set_unknown(&json->depth, 1);
  if (c == '"') return go(json, IN_STRING, 1, json->path_at);
  if (opens(c)) return go(json, IN_CONTAINER, 1, json->path_at);
  if (c == '-' || c - '0' <= 9) return go(json, IN_NUMBER, 1, json->path_at);
  if (c - 'a' > 25) return 1;
  set_unknown(&json->depth, c);
  return go(json, IN_LITERAL, 1, json->path_at);
}

DS_LOCAL long read_key(struct json* json, u64 c, u64 p, u64 next) {
  u64 agrees = json->agrees & is_same(p, c) & (1 ^ ends_component(json, p));
  set_unknown(&json->agrees, agrees);
  return go(json, next, 1, json->path_at + agrees);
}

DS_LOCAL long read_index(struct json* json, u64 p) {
  if (json->depth > MOST_ELEMENTS) return 1;
  if (p - '0' <= 9) {
    set_unknown(&json->depth, json->depth * 10 + (p - '0'));
    return go(json, IN_INDEX, 0, json->path_at + 1);
  }
  // What is no number names no element.
  if (json->path_at == json->component || !ends_component(json, p)) return 1;
  set_unknown(&json->to_pass, json->depth + 1);
  return go(json, AT_VALUE, 0, json->path_at);
}

// Behind the component: the end of the path, or the container that it leads into.
DS_LOCAL long pass_separator(struct json* json, u64 c, u64 p) {
  if (p == 0) return go(json, BEGIN_VALUE, 0, json->path_at);
  if ((is_same(p, '.') | is_same(p, '[')) == 0 || opens(c) == 0) return 1;
  set_unknown(&json->to_pass, is_same(c, '['));
  return go(json, AT_COMPONENT, 1, json->path_at + is_same(p, '.'));
}

DS_LOCAL long find_value(struct json* json) {
  if (json->to_pass != 0) {
    set_unknown(&json->to_pass, json->to_pass - 1);
    set_unknown(&json->agrees, is_same(json->to_pass, 0));
  }
  if (!json->agrees) return go(json, BEGIN_VALUE, 0, json->path_at);
  // Over the closing brackets of the component.
  u64 closing = is_same(json->end, ']') + 2 * is_same(json->end, '"');
  return go(json, AT_SEPARATOR, 0, json->path_at + closing);
}

static long read_json(u64 index, void* state) {
  struct json* json = state;
  (void)index;
  u64 at = json->at, path_at = json->path_at;
  if (!ds_within(&at, json->last) || !ds_within(&path_at, json->last_of_path)) return 1;
  u64 c = (u8)json->text[at], p = (u8)json->path[path_at];
  if (c == 0) return 1;
  switch (json->state) {
    case AT_ROOT:
      if (is_white(c)) return go(json, AT_ROOT, 1, path_at);
      // An empty path names nothing, not even a member without a name.
      if (opens(c) == 0 || p == 0) return 1;
      set_unknown(&json->to_pass, is_same(c, '['));
      return go(json, AT_COMPONENT, 1, path_at);
    case AT_COMPONENT: {
      u64 is_bracket = is_same(p, '[');
      set_unknown(&json->end, is_bracket * ']');
      return go(json, AT_QUOTE, 0, path_at + is_bracket);
    }
    case AT_QUOTE: {
      u64 is_quote = is_same(p, '"') & is_not_zero(json->end);
      set_unknown(&json->end, json->end - is_quote * (']' - '"'));
      set_unknown(&json->component, path_at + is_quote);
      set_unknown(&json->depth, 0);
      return go(json, json->to_pass != 0 ? IN_INDEX : AT_KEY, 0, path_at + is_quote);
    }
    case IN_INDEX: return read_index(json, p);
    case AT_KEY:
      if (is_white(c)) return go(json, AT_KEY, 1, path_at);
      if (c != '"') return 1;
      set_unknown(&json->agrees, 1);
      return go(json, IN_KEY, 1, json->component);
    case IN_KEY:
      if (c != '"') return read_key(json, c, p, c == '\\' ? IN_KEY_ESCAPE : IN_KEY);
      set_unknown(&json->agrees, json->agrees & ends_component(json, p));
      return go(json, AT_COLON, 1, path_at);
    case IN_KEY_ESCAPE: return read_key(json, c, p, IN_KEY);
    case AT_COLON:
      if (is_white(c)) return go(json, AT_COLON, 1, path_at);
      return c == ':' ? go(json, AT_VALUE, 1, path_at) : 1;
    case AT_VALUE: return is_white(c) ? go(json, AT_VALUE, 1, path_at) : find_value(json);
    case AT_SEPARATOR: return pass_separator(json, c, p);
    case BEGIN_VALUE: return begin_value(json, at, c);
    case IN_STRING:
      if (c == '"') return end_value(json, 1 ^ json->agrees);
      return go(json, c == '\\' ? IN_STRING_ESCAPE : IN_STRING, 1, path_at);
    case IN_STRING_ESCAPE: return go(json, IN_STRING, 1, path_at);
    case IN_NUMBER:
      if (c == ',' || closes(c) || is_white(c)) return end_value(json, 0);
      return go(json, IN_NUMBER, 1, path_at);
    case IN_LITERAL:
      if (c == ',' || closes(c) || is_white(c)) return is_literal(json->depth) ? end_value(json, 0) : 1;
      set_unknown(&json->depth, json->depth << 8 | c);
      return go(json, IN_LITERAL, 1, path_at);
    case IN_CONTAINER:
      set_unknown(&json->depth, json->depth + opens(c) - closes(c));
      if (json->depth == 0) return end_value(json, 1);
      return go(json, c == '"' ? IN_CONTAINER_STRING : IN_CONTAINER, 1, path_at);
    case IN_CONTAINER_STRING:
      if (c == '\\') return go(json, IN_CONTAINER_ESCAPE, 1, path_at);
      return go(json, c == '"' ? IN_CONTAINER : IN_CONTAINER_STRING, 1, path_at);
    case IN_CONTAINER_ESCAPE: return go(json, IN_CONTAINER_STRING, 1, path_at);
    case AT_COMMA:
      if (is_white(c)) return go(json, AT_COMMA, 1, path_at);
      return c == ',' ? go(json, json->to_pass != 0 ? AT_VALUE : AT_KEY, 1, path_at) : 1;
  }
  return 1;
}

i64 ds_json(char* destination, const char* text, u64 sizes, const char* path) {
  clear_words(destination, 0, destination_capacity(sizes));
  struct json json = {.text = text,
                      .path = path,
                      .last = first_capacity(sizes) - 1,
                      .last_of_path = second_capacity(sizes) - 1,
                      .state = AT_ROOT + ds_unknown_zero(text),
                      .at = ds_unknown_zero(text),
                      .path_at = ds_unknown_zero(text),
                      .component = ds_unknown_zero(text),
                      .end = ds_unknown_zero(text),
                      .to_pass = ds_unknown_zero(text),
                      .agrees = ds_unknown_zero(text),
                      .depth = ds_unknown_zero(text),
                      .from = ds_unknown_zero(text)};
  // Besides the characters, each value takes two turns and each component of the path three.
  u64 turns = 3 * first_capacity(sizes) + 4 * second_capacity(sizes);
  bpf_loop((unsigned)turns, read_json, &json, 0);
  if (json.state != HAS_VALUE) return ds_as_unknown(-1, text);
  put_part(destination, text, sizes, json.from, json.at - json.from);
  return ds_as_unknown(0, text);
}
