// Reads until the end of the file, because st_size is 0 or one page for files of pseudo file systems.
#include "support/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "support/text/word_list.h"

namespace dscope {

Result<std::string> read_all(const Fd& file, const char* path) {
  std::string text;
  size_t used = 0;
  while (true) {
    if (text.size() - used < 4096) text.resize(text.size() * 2 + 8192);
    ssize_t count = ::read(file.get(), text.data() + used, text.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(Error::from_errno(errno, "cannot read `{}`", path));
    if (count == 0) break;
    used += static_cast<size_t>(count);
  }
  text.resize(used);
  return text;
}

Result<std::string> read_file_at(int directory, const char* path) {
  Fd file{::openat(directory, path, O_RDONLY | O_CLOEXEC)};
  if (!file) return fail(Error::from_errno(errno, "cannot open `{}`", path));
  return read_all(file, path);
}

Result<std::string> read_file(const char* path) { return read_file_at(AT_FDCWD, path); }

uint64_t read_number(const char* path, std::string_view name) {
  std::string text = read_file(path).value_or("");
  std::vector<std::string_view> words = parts_of(text, " \t\n");
  auto word = words.begin();
  if (!name.empty()) word = std::find(words.begin(), words.end(), name);
  if (!name.empty() && word != words.end()) ++word;
  uint64_t number = 0;
  if (word != words.end()) std::from_chars(word->data(), word->data() + word->size(), number);
  return number;
}

}  // namespace dscope
