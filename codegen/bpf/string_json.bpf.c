// json: where the value of an element lies in a JSON text. One pass over the text, one character in each turn of the
// loop; the value is a part of the text, so finding where it starts and ends is all there is to do.
//
// The path `a.b[0]["c.d"]` leads from container to container: each of its components is the key or the number of a
// member. Members that the path does not name are passed over, whatever they hold.
#include "string_words.h"

enum json_state {
  AT_ROOT,        // before the outermost { or [
  AT_KEY,         // in an object: a key comes, or the object ends
  IN_KEY,         // between the quotes
  IN_KEY_ESCAPE,  // behind a backslash there
  AT_COLON,       // behind the key
  AT_VALUE,       // a value comes, or an empty array ends
  IN_STRING,      // a string, number or word, or a container with all it holds: the value wanted, or one to pass over
  IN_STRING_ESCAPE,
  IN_WORD,
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
  u64 component;  // offset in the path of the component to be found in this container
  u64 end;        // the character that ends it: ] or " in brackets; 0: one of . and [
  u64 key;        // up to where in the path the key read so far agrees, or NO_KEY
  u64 to_pass;    // in an array: elements before the one wanted, itself included
  u64 is_array;
  u64 is_wanted;  // the value at hand is the last one of the path
  u64 depth;      // containers open within the value at hand
  u64 from, to;   // the value found
};
#define NO_KEY (~0ULL)
#define MOST_INDEX_DIGITS 9

DS_LOCAL int is_white(u64 c) { return c == ' ' || c - '\t' <= '\r' - '\t'; }
DS_LOCAL int opens(u64 c) { return c == '{' || c == '['; }
DS_LOCAL int closes(u64 c) { return c == '}' || c == ']'; }

DS_LOCAL u64 path_character(const struct json* json, u64 at) {
  return ds_within(&at, json->last_of_path) ? (u8)json->path[at] : 0;
}

DS_LOCAL void go(struct json* json, u64 state) { set_unknown(&json->state, state); }

// A component starts at this offset of the path, with its bracket if it has one.
DS_LOCAL void begin_component(struct json* json, u64 at) {
  u64 end = 0;
  if (path_character(json, at) == '[') {
    at++;
    end = ']';
    if (path_character(json, at) == '"') {
      at++;
      end = '"';
    }
  }
  set_unknown(&json->component, at);
  set_unknown(&json->end, end);
}

DS_LOCAL int is_component_end(const struct json* json, u64 c) {
  return json->end != 0 ? c == json->end : c == 0 || c == '.' || c == '[';
}

// Behind the component that ends at this offset; its brackets included.
DS_LOCAL u64 behind_component(const struct json* json, u64 at) {
  if (json->end == ']') at += 1;
  if (json->end == '"') at += 2;
  return at;
}

// The number that the component is. What is none leads nowhere: no array has so many elements.
DS_LOCAL void read_index(struct json* json) {
  u64 at = json->component, number = 0, c = 0;
  for (int i = 0; i <= MOST_INDEX_DIGITS; i++) {
    c = path_character(json, at);
    if (c - '0' > 9) break;
    number = number * 10 + (c - '0');
    at++;
  }
  u64 is_number = at != json->component && is_component_end(json, c);
  set_unknown(&json->to_pass, is_number ? number + 1 : NO_KEY);
  set_unknown(&json->key, at);
}

DS_LOCAL long enter(struct json* json, u64 bracket) {
  u64 is_array = bracket == '[';
  set_unknown(&json->is_array, is_array);
  if (is_array) read_index(json);
  go(json, is_array ? AT_VALUE : AT_KEY);
  return 0;
}

// The first character of a value. `is_named`: by the component at hand.
DS_LOCAL long begin_value(struct json* json, u64 index, u64 c, u64 is_named) {
  u64 is_wanted = 0;
  if (is_named) {
    u64 next = behind_component(json, json->key);
    u64 separator = path_character(json, next);
    if (separator != 0) {
      if (separator == '.') next++;
      else if (separator != '[') return 1;
      if (!opens(c)) return 1;
      begin_component(json, next);
      return enter(json, c);
    }
    is_wanted = 1;
  }
  set_unknown(&json->is_wanted, is_wanted);
  set_unknown(&json->from, index + (c == '"'));
  if (c == '"') {
    go(json, IN_STRING);
  } else if (opens(c)) {
    set_unknown(&json->depth, 1);
    go(json, IN_CONTAINER);
  } else if (c == '-' || c - '0' <= 9 || c - 'a' <= 25) {
    go(json, IN_WORD);
  } else {
    return 1;
  }
  return 0;
}

// The value at hand ended before the character at `index`.
DS_LOCAL long end_value(struct json* json, u64 index) {
  if (!json->is_wanted) {
    go(json, AT_COMMA);
    return 0;
  }
  set_unknown(&json->to, index);
  go(json, HAS_VALUE);
  return 1;
}

DS_LOCAL long pass_comma(struct json* json, u64 c) {
  if (is_white(c)) return 0;
  if (c != ',') return 1;
  go(json, json->is_array ? AT_VALUE : AT_KEY);
  return 0;
}

DS_LOCAL long read_key(struct json* json, u64 c) {
  u64 at = json->key;
  if (json->state == IN_KEY && c == '"') {
    if (at != NO_KEY && !is_component_end(json, path_character(json, at))) set_unknown(&json->key, NO_KEY);
    go(json, AT_COLON);
    return 0;
  }
  u64 expected = path_character(json, at);
  u64 agrees = at != NO_KEY && expected == c && !is_component_end(json, expected);
  set_unknown(&json->key, agrees ? at + 1 : NO_KEY);
  go(json, json->state == IN_KEY && c == '\\' ? IN_KEY_ESCAPE : IN_KEY);
  return 0;
}

DS_LOCAL long pass_container(struct json* json, u64 index, u64 c) {
  if (c == '"') go(json, IN_CONTAINER_STRING);
  if (opens(c)) set_unknown(&json->depth, json->depth + 1);
  if (!closes(c)) return 0;
  set_unknown(&json->depth, json->depth - 1);
  return json->depth == 0 ? end_value(json, index + 1) : 0;
}

static long read_json(u64 index, void* state) {
  struct json* json = state;
  if (!ds_within(&index, json->last)) return 1;
  u64 c = (u8)json->text[index];
  if (c == 0) return 1;
  switch (json->state) {
    case AT_ROOT:
      if (is_white(c)) return 0;
      return opens(c) ? enter(json, c) : 1;
    case AT_KEY:
      if (is_white(c)) return 0;
      if (c != '"') return 1;
      set_unknown(&json->key, json->component);
      go(json, IN_KEY);
      return 0;
    case IN_KEY:
    case IN_KEY_ESCAPE: return read_key(json, c);
    case AT_COLON:
      if (is_white(c)) return 0;
      if (c != ':') return 1;
      go(json, AT_VALUE);
      return 0;
    case AT_VALUE: {
      if (is_white(c)) return 0;
      u64 is_named = json->key != NO_KEY;
      if (json->is_array) {
        set_unknown(&json->to_pass, json->to_pass - 1);
        is_named = json->to_pass == 0;
      }
      return begin_value(json, index, c, is_named);
    }
    case IN_STRING:
      if (c == '"') return end_value(json, index);
      if (c == '\\') go(json, IN_STRING_ESCAPE);
      return 0;
    case IN_STRING_ESCAPE: go(json, IN_STRING); return 0;
    case IN_WORD:
      if (c != ',' && !closes(c) && !is_white(c)) return 0;
      if (end_value(json, index) != 0) return 1;
      return pass_comma(json, c);
    case IN_CONTAINER: return pass_container(json, index, c);
    case IN_CONTAINER_STRING:
      if (c == '"') go(json, IN_CONTAINER);
      if (c == '\\') go(json, IN_CONTAINER_ESCAPE);
      return 0;
    case IN_CONTAINER_ESCAPE: go(json, IN_CONTAINER_STRING); return 0;
    case AT_COMMA: return pass_comma(json, c);
  }
  return 1;
}

i64 ds_json(char* destination, const char* text, u64 sizes, const char* path) {
  u64 zero = ds_unknown_zero(text);
  clear_words(destination, 0, destination_capacity(sizes));
  struct json json = {.text = text,
                      .path = path,
                      .last = first_capacity(sizes) - 1,
                      .last_of_path = second_capacity(sizes) - 1,
                      .state = AT_ROOT + zero,
                      .key = NO_KEY - zero,
                      .to_pass = zero,
                      .is_array = zero,
                      .is_wanted = zero,
                      .depth = zero,
                      .from = zero,
                      .to = zero};
  begin_component(&json, zero);
  bpf_loop((unsigned)first_capacity(sizes), read_json, &json, 0);
  if (json.state != HAS_VALUE) return ds_any_number(-1, text);
  put_part(destination, text, sizes, json.from, json.to - json.from);
  return ds_any_number(0, text);
}
