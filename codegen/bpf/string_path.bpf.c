// basename and dirname behave as basename(1) and dirname(1): they search backward for slashes and other characters.
// cleanpath reads backward too, and so meets a `..` before the component that it removes.
#include "string_words.h"

// The last character that is not a trailing slash, or -1.
DS_LOCAL i64 end_of_name(const char* path, u64 sizes) {
  i64 length = (i64)string_length(path, first_capacity(sizes));
  return ds_find_last(path, first_capacity(sizes), length - 1, DS_OTHER_THAN('/'));
}

DS_LOCAL void store_character(char* destination, u64 sizes, char character) {
  if (max_characters(sizes) > 0) destination[0] = character;
}

// Writes the result for a path that has no name: "." for the empty path, "/" for slashes.
DS_LOCAL void store_nameless(char* destination, const char* path, u64 sizes) {
  store_character(destination, sizes, path[0] == 0 ? '.' : '/');
}

void ds_basename(char* destination, const char* path, u64 sizes) {
  clear_words(destination, 0, destination_capacity(sizes));
  i64 end = end_of_name(path, sizes);
  if (end < 0) {
    store_nameless(destination, path, sizes);
    return;
  }
  i64 slash = ds_find_last(path, first_capacity(sizes), end, '/');
  copy_part(destination, path, sizes, (u64)(slash + 1), (u64)(end - slash));
}

void ds_dirname(char* destination, const char* path, u64 sizes) {
  clear_words(destination, 0, destination_capacity(sizes));
  i64 end = end_of_name(path, sizes);
  if (end < 0) {
    store_nameless(destination, path, sizes);
    return;
  }
  i64 slash = ds_find_last(path, first_capacity(sizes), end, '/');
  if (slash < 0) {
    store_character(destination, sizes, '.');
    return;
  }
  end = ds_find_last(path, first_capacity(sizes), slash, DS_OTHER_THAN('/'));
  if (end < 0) {
    store_character(destination, sizes, '/');
    return;
  }
  copy_part(destination, path, sizes, 0, (u64)end + 1);
}

// cleanpath reads the path from its end to its start and writes the clean one from the end of the work area to its
// start.
struct cleaning {
  const char* path;
  char* work;
  u64 last;              // offset of the last byte of both
  u64 at;                // offset of the byte read last
  u64 out;               // offset of the byte written last
  u64 kept;              // `out` before the current component
  u64 length;            // of the current component
  u64 non_dots;          // characters of the current component other than dots
  u64 pending_removals;  // number of components that the `..` read so far still remove
};

DS_LOCAL void write_before(struct cleaning* cleaning, u64 character) {
  u64 out = cleaning->out - 1;
  if (!ds_within(&out, cleaning->last)) return;
  cleaning->work[out] = (char)character;
  set_unknown(&cleaning->out, out);
}

enum component { NO_COMPONENT, DOT_DOT, NAME };

DS_LOCAL enum component component_kind(const struct cleaning* cleaning) {
  if (cleaning->length == 0) return NO_COMPONENT;
  if (cleaning->non_dots != 0 || cleaning->length > 2) return NAME;
  return cleaning->length == 1 ? NO_COMPONENT : DOT_DOT;
}

// Called when a component has been read completely: keeps it and writes the slash before it, or discards its bytes.
DS_LOCAL void end_component(struct cleaning* cleaning) {
  enum component kind = component_kind(cleaning);
  if (kind == NAME && cleaning->pending_removals == 0) write_before(cleaning, '/');
  else set_unknown(&cleaning->out, cleaning->kept);
  if (kind == DOT_DOT) set_unknown(&cleaning->pending_removals, cleaning->pending_removals + 1);
  else if (kind == NAME && cleaning->pending_removals != 0)
    set_unknown(&cleaning->pending_removals, cleaning->pending_removals - 1);
  set_unknown(&cleaning->kept, cleaning->out);
  set_unknown(&cleaning->length, 0);
  set_unknown(&cleaning->non_dots, 0);
}

static long clean_byte(u64 index, void* state) {
  struct cleaning* cleaning = state;
  (void)index;
  u64 at = cleaning->at - 1;
  if (!ds_within(&at, cleaning->last)) return 1;
  u64 c = (u8)cleaning->path[at];
  set_unknown(&cleaning->at, at);
  if (c == '/') {
    end_component(cleaning);
    return 0;
  }
  write_before(cleaning, c);
  set_unknown(&cleaning->length, cleaning->length + 1);
  set_unknown(&cleaning->non_dots, cleaning->non_dots + is_not_zero(c ^ '.'));
  return 0;
}

// A relative path keeps the leading `..` components that have nothing to remove.
static long write_dot_dot(u64 index, void* state) {
  struct cleaning* cleaning = state;
  if (index >= cleaning->pending_removals) return 1;
  write_before(cleaning, '.');
  write_before(cleaning, '.');
  write_before(cleaning, '/');
  return 0;
}

DS_LOCAL void clean(char* destination, const char* path, u64 sizes, char* work) {
  u64 capacity = first_capacity(sizes), zero = ds_unknown_zero(path);
  clear_words(destination, 0, destination_capacity(sizes));
  if (path[0] == 0) return;
  struct cleaning cleaning = {.path = path,
                              .work = work,
                              .last = capacity - 1,
                              .at = string_length(path, capacity) + zero,
                              .out = capacity + zero,
                              .kept = capacity + zero,
                              .length = zero,
                              .non_dots = zero,
                              .pending_removals = zero};
  bpf_loop((unsigned)capacity, clean_byte, &cleaning, 0);
  end_component(&cleaning);
  u64 is_relative = is_not_zero((u8)path[0] ^ '/');
  if (is_relative) bpf_loop((unsigned)capacity / 3 + 1, write_dot_dot, &cleaning, 0);
  if (cleaning.out == capacity) {
    store_character(destination, sizes, is_relative ? '.' : '/');
    return;
  }
  u64 from = cleaning.out + is_relative;  // a relative path drops the slash before its first component
  copy_part(destination, work, sizes, from, capacity - from);
}

void ds_cleanpath(char* destination, const char* path, u64 sizes, char* work) {
  clean(destination, path, sizes, work);
  DS_NO_RESULT();
}
