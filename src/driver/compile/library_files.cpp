#include "driver/compile/library_files.h"

#include <dirent.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <unordered_set>

#include "support/text/words.h"

namespace dscope {

namespace {

// Returns the name that the definition at the start of `line` defines: the last word before `=`, `[`, `{`, `<` or `;`.
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

// Returns the sorted names in `directory` that `is_match` accepts.
std::vector<std::string> sorted_entries(const std::string& directory, bool (*is_match)(const std::string& name)) {
  std::vector<std::string> names;
  DIR* open = directory.empty() ? nullptr : opendir(directory.c_str());
  if (open == nullptr) return names;
  while (const dirent* entry = readdir(open))
    if (std::string name = entry->d_name; is_match(name)) names.push_back(std::move(name));
  closedir(open);
  std::sort(names.begin(), names.end());
  return names;
}

bool is_library_name(const std::string& name) { return name.size() > 2 && name.ends_with(".d") && name[0] != '.'; }

// Parses "5.14" or "6.1.0", up to three numbers. Ignores a suffix as in "6.18.0-rc1".
std::array<unsigned, 3> kernel_version(std::string_view text) {
  std::array<unsigned, 3> version{};
  const char* end = text.data() + text.size();
  const char* at = text.data();
  for (unsigned& part : version) {
    auto [after, problem] = std::from_chars(at, end, part);
    if (problem != std::errc{} || after == end || *after != '.') break;
    at = after + 1;
  }
  return version;
}

bool is_kernel_version(const std::string& name) {
  return name[0] >= '0' && name[0] <= '9' && name.find_first_not_of("0123456789.") == std::string::npos &&
         name.find('.') != std::string::npos;
}

// Returns the subdirectory for the highest kernel version up to the running one; empty if none exists.
std::string version_directory(const std::string& directory, std::string_view kernel_release) {
  std::string best;
  for (const std::string& name : sorted_entries(directory, is_kernel_version)) {
    bool fits = kernel_version(name) <= kernel_version(kernel_release);
    if (fits && (best.empty() || kernel_version(name) >= kernel_version(best))) best = name;
  }
  return best.empty() ? "" : directory + "/" + best;
}

using Files = std::vector<LibraryFile>;

bool has_file_name(const Files& files, size_t first, std::string_view name) {
  return std::any_of(files.begin() + static_cast<long>(first), files.end(),
                     [&](const LibraryFile& file) { return file_name(file.path) == name; });
}

// Adds the libraries of `directory` whose names `files` does not contain from index `first` on.
Result<> add_directory(Files& files, size_t first, const std::string& directory, FindDependencies find_dependencies) {
  for (const std::string& name : sorted_entries(directory, is_library_name)) {
    if (has_file_name(files, first, name)) continue;
    std::string path = directory + (directory.ends_with('/') ? "" : "/") + name;
    DS_TRY(std::string text, read_text(path));
    std::vector<std::string> dependencies = find_dependencies(text);
    files.push_back({.path = std::move(path), .text = std::move(text), .dependencies = std::move(dependencies)});
  }
  return {};
}

// Returns all libraries, the built-in ones first. A user's file replaces the built-in library of the same name.
Result<Files> all_libraries(const LibrarySearch& search, FindDependencies find_dependencies) {
  Files users, all;
  if (search.files != nullptr) {
    all = *search.files;
    for (LibraryFile& file : all) file.dependencies = find_dependencies(file.text);
    return all;
  }
  for (const std::string& directory : search.directories) {
    size_t first = users.size();
    std::string versioned = version_directory(directory, search.kernel_release);
    DS_TRY_VOID(add_directory(users, first, versioned, find_dependencies));
    DS_TRY_VOID(add_directory(users, first, directory, find_dependencies));
  }
  DS_TRY_VOID(add_directory(all, 0, search.built_in_directory, find_dependencies));
  for (size_t i = 0; search.replaced != nullptr && i < search.replaced->size(); ++i) {
    const LibraryFile& own = (*search.replaced)[i];
    std::erase_if(all, [&](const LibraryFile& file) { return file_name(file.path) == own.path; });
    all.push_back(own);
  }
  for (LibraryFile& file : all) file.is_built_in = true;
  std::erase_if(all, [&](const LibraryFile& file) { return has_file_name(users, 0, file_name(file.path)); });
  std::move(users.begin(), users.end(), std::back_inserter(all));
  return all;
}

// Orders libraries after their dependencies.
class LibraryOrder {
 public:
  explicit LibraryOrder(Files files) : files_(std::move(files)), marks_(files_.size()) {}

  // Appends the dependencies of the file and the file itself, unless they are already in the order.
  Result<> append(size_t index);
  Files finish() &&;

 private:
  enum class Mark : uint8_t { None, AtWork, Done };
  std::optional<size_t> find_dependency(size_t index, const std::string& name) const;
  Error cycle(size_t index) const;

  Files files_;
  std::vector<Mark> marks_;
  std::vector<size_t> path_;  // from the requested file to the current one
  std::vector<size_t> order_;
};

// Resolves a name to the file in the directory of the dependent file, or else to the first file of that name.
std::optional<size_t> LibraryOrder::find_dependency(size_t index, const std::string& name) const {
  std::string_view path = files_[index].path;
  std::string beside = std::string(path.substr(0, path.size() - file_name(path).size())) + name;
  for (size_t i = 0; i < files_.size(); ++i)
    if (files_[i].path == beside) return i;
  for (size_t i = 0; i < files_.size(); ++i)
    if (file_name(files_[i].path) == name) return i;
  return std::nullopt;
}

Error LibraryOrder::cycle(size_t index) const {
  std::string text;
  for (auto at = std::find(path_.begin(), path_.end(), index); at != path_.end(); ++at)
    text += files_[*at].path + " -> ";
  return Error::make("D libraries depend on each other: {}{}", text, files_[index].path);
}

Result<> LibraryOrder::append(size_t index) {
  if (marks_[index] == Mark::Done) return {};
  if (marks_[index] == Mark::AtWork) return fail(cycle(index));
  marks_[index] = Mark::AtWork;
  path_.push_back(index);
  for (const std::string& name : files_[index].dependencies) {
    auto dependency = find_dependency(index, name);
    // compile() skips such a built-in library later, when it parses the pragma.
    if (!dependency && files_[index].is_built_in) continue;
    if (!dependency)
      return fail(Error::make("D library {} depends on library {}, which does not exist", files_[index].path, name));
    DS_TRY_VOID(append(*dependency));
  }
  path_.pop_back();
  marks_[index] = Mark::Done;
  order_.push_back(index);
  return {};
}

Files LibraryOrder::finish() && {
  Files ordered;
  for (size_t index : order_) ordered.push_back(std::move(files_[index]));
  return ordered;
}

}  // namespace

std::string program_directory() {
  std::error_code problem;
  return std::filesystem::read_symlink("/proc/self/exe", problem).parent_path().string();
}

std::string library_directory() {
  std::error_code problem;
  std::string here = program_directory();
  for (const std::string& candidate : {here + "/../share/dscope/library", here + "/../../share/dscope/library",
                                       std::string(DSCOPE_LIBRARY_DIR), std::string(DSCOPE_SOURCE_LIBRARY_DIR)})
    if (std::filesystem::is_directory(candidate, problem)) return candidate;
  return "";
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

Result<std::string> read_text(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return fail(Error::from_errno(errno, "failed to open {}", path));
  std::string text;
  char buffer[65536];
  size_t count = 0;
  while (text.size() <= max_text_bytes && (count = std::fread(buffer, 1, sizeof buffer, file)) != 0)
    text.append(buffer, count);
  int problem = std::ferror(file) != 0 ? errno : 0;
  std::fclose(file);
  if (text.size() > max_text_bytes)
    return fail(Error::make("program is too large: {} has more than {} MiB", path, max_text_bytes >> 20));
  if (problem != 0) return fail(Error::from_errno(problem, "failed to open {}", path));
  return text;
}

Result<std::vector<LibraryFile>> needed_libraries(const LibrarySearch& search,
                                                  const std::vector<std::string_view>& programs,
                                                  FindDependencies find_dependencies) {
  DS_TRY(Files files, all_libraries(search, find_dependencies));
  Words wanted;
  for (std::string_view program : programs) add_words(program, wanted);
  for (const LibraryFile& file : files)
    if (!file.is_built_in) add_words(file.text, wanted);
  std::vector<bool> is_wanted(files.size());
  for (bool is_growing = true; is_growing;) {
    is_growing = false;
    for (size_t i = 0; i < files.size(); ++i) {
      if (is_wanted[i] || (files[i].is_built_in && !defines_any(files[i].text, wanted))) continue;
      is_wanted[i] = is_growing = true;
      add_words(files[i].text, wanted);
    }
  }
  // Moves the texts into the result. The words are views of these texts and dangle from here on.
  LibraryOrder order(std::move(files));
  for (size_t i = 0; i < is_wanted.size(); ++i)
    if (is_wanted[i]) DS_TRY_VOID(order.append(i));
  return std::move(order).finish();
}

}  // namespace dscope
