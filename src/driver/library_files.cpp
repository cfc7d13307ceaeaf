#include "driver/library_files.h"

#include <dirent.h>

#include <algorithm>
#include <cstdio>
#include <unordered_set>

namespace dscope {

namespace {

using Words = std::unordered_set<std::string_view>;  // views into texts that outlive the search

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void add_words(std::string_view text, Words& words) {
  for (size_t at = 0; at < text.size();) {
    if (!is_word_char(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && is_word_char(text[end])) ++end;
    words.insert(text.substr(at, end - at));
    at = end;
  }
}

// The name a definition at the start of `line` gives: the last word before `=`, `[`, `{`, `<` or `;`.
std::string_view defined_word(std::string_view line) {
  bool is_definition = false;
  for (std::string_view keyword : {"inline ", "typedef ", "struct ", "union ", "enum ", "translator "})
    is_definition |= line.starts_with(keyword);
  if (!is_definition) return {};
  line = line.substr(0, line.find_first_of("=[{<;"));
  size_t end = line.size();
  while (end > 0 && !is_word_char(line[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && is_word_char(line[begin - 1])) --begin;
  return line.substr(begin, end - begin);
}

bool defines_any(std::string_view text, const Words& wanted) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    if (std::string_view word = defined_word(text.substr(0, end)); !word.empty() && wanted.contains(word)) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

std::vector<std::string> library_paths(const std::string& directory) {
  std::vector<std::string> paths;
  DIR* open = directory.empty() ? nullptr : opendir(directory.c_str());
  if (open == nullptr) return paths;
  while (const dirent* entry = readdir(open)) {
    std::string name = entry->d_name;
    if (name.size() > 2 && name.ends_with(".d") && name[0] != '.') paths.push_back(directory + "/" + name);
  }
  closedir(open);
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

Result<std::string> read_text(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return fail(Error::from_errno(errno, "failed to open {}", path));
  std::string text;
  char buffer[65536];
  size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, file)) != 0) text.append(buffer, count);
  int problem = std::ferror(file) != 0 ? errno : 0;
  std::fclose(file);
  if (problem != 0) return fail(Error::from_errno(problem, "failed to open {}", path));
  return text;
}

Result<std::vector<LibraryFile>> needed_libraries(const std::string& directory,
                                                  const std::vector<std::string_view>& programs) {
  std::vector<LibraryFile> all, needed;
  for (std::string& path : library_paths(directory)) {
    DS_TRY(std::string text, read_text(path));
    all.push_back({std::move(path), std::move(text)});
  }
  Words wanted;
  for (std::string_view program : programs) add_words(program, wanted);
  std::vector<bool> is_taken(all.size());
  for (bool is_growing = true; is_growing;) {
    is_growing = false;
    for (size_t i = 0; i < all.size(); ++i) {
      if (is_taken[i] || !defines_any(all[i].text, wanted)) continue;
      is_taken[i] = is_growing = true;
      add_words(all[i].text, wanted);
    }
  }
  for (size_t i = 0; i < all.size(); ++i)
    if (is_taken[i]) needed.push_back(std::move(all[i]));
  return needed;
}

}  // namespace dscope
