// basename and dirname: as basename(1) and dirname(1), by looking backwards for slashes and other characters.
#include "string_words.h"

// The last character that is not a trailing slash, or -1.
DS_LOCAL i64 end_of_name(const char* path, u64 sizes) {
  i64 length = (i64)string_length(path, first_capacity(sizes));
  return ds_find_last(path, first_capacity(sizes), length - 1, DS_OTHER_THAN('/'));
}

DS_LOCAL void put_character(char* destination, u64 sizes, char character) {
  if (most_characters(sizes) > 0) destination[0] = character;
}

// What a path without any name comes down to.
DS_LOCAL void put_nameless(char* destination, const char* path, u64 sizes) {
  put_character(destination, sizes, path[0] == 0 ? '.' : '/');
}

void ds_basename(char* destination, const char* path, u64 sizes) {
  clear_words(destination, 0, destination_capacity(sizes));
  i64 end = end_of_name(path, sizes);
  if (end < 0) {
    put_nameless(destination, path, sizes);
    return;
  }
  i64 slash = ds_find_last(path, first_capacity(sizes), end, '/');
  put_part(destination, path, sizes, (u64)(slash + 1), (u64)(end - slash));
}

void ds_dirname(char* destination, const char* path, u64 sizes) {
  clear_words(destination, 0, destination_capacity(sizes));
  i64 end = end_of_name(path, sizes);
  if (end < 0) {
    put_nameless(destination, path, sizes);
    return;
  }
  i64 slash = ds_find_last(path, first_capacity(sizes), end, '/');
  if (slash < 0) {
    put_character(destination, sizes, '.');
    return;
  }
  end = ds_find_last(path, first_capacity(sizes), slash, DS_OTHER_THAN('/'));
  if (end < 0) {
    put_character(destination, sizes, '/');
    return;
  }
  put_part(destination, path, sizes, 0, (u64)end + 1);
}
