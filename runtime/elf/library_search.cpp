#include "runtime/elf/library_search.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "runtime/elf/debug_files.h"
#include "runtime/elf/process_maps.h"
#include "support/format.h"
#include "support/text/words.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

constexpr const char* default_directories[] = {
    "/lib",   "/usr/lib",   "/lib/x86_64-linux-gnu",  "/usr/lib/x86_64-linux-gnu",
    "/lib64", "/usr/lib64", "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu"};

void add_path(std::vector<std::string>& directories, std::string_view path, char separator) {
  while (!path.empty()) {
    size_t end = std::min(path.find(separator), path.size());
    if (end > 0) directories.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
}

std::string environment_variable(uint32_t pid, std::string_view name) {
  std::string all = read_small_file(fmt::format("/proc/{}/environ", pid));
  std::vector<std::string> variables;
  add_path(variables, all, '\0');
  for (const std::string& variable : variables)
    if (variable.starts_with(name) && variable.size() > name.size() && variable[name.size()] == '=')
      return variable.substr(name.size() + 1);
  return {};
}

// RUNPATH, or RPATH, of an executable, with $ORIGIN replaced by `origin`.
std::string run_path(const std::string& file, const std::string& origin) {
  Fd fd = open_regular(file);
  FileBudget budget(fd.get());
  ElfHandle elf = open_elf(fd.get(), budget);
  std::string found;
  for (Elf_Scn* section = nullptr; elf && (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC || header.sh_entsize == 0) continue;
    Elf_Data* data = section_data(section, budget);
    Elf_Data* names = section_data(elf_getscn(elf.get(), header.sh_link), budget);
    for (size_t i = 0; budget.has_time() && data != nullptr && i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Dyn item;
      if (!gelf_getdyn(data, static_cast<int>(i), &item)) break;
      if (item.d_tag != DT_RUNPATH && item.d_tag != DT_RPATH) continue;
      // A longer list of directories is an attack.
      constexpr size_t max_length = 64 << 10;
      found = text_at(names, item.d_un.d_val).substr(0, max_length);
    }
  }
  replace_all(found, "${ORIGIN}", origin);
  replace_all(found, "$ORIGIN", origin);
  return found;
}

std::string link_text(const std::string& path) {
  std::error_code problem;
  return fs::read_symlink(path, problem).string();
}

std::string link_of(const Fd& fd) { return fmt::format("/proc/self/fd/{}", fd.get()); }

// Adds the directories of /etc/ld.so.conf and of ld.so.conf.d, which distributions include from there.
// `root`: a path to the root directory of the process.
void add_configured(std::vector<std::string>& directories, const std::string& root) {
  constexpr size_t max_size = 64 << 10, max_files = 256;
  std::vector<std::string> files{"/etc/ld.so.conf"};
  // A link in a container must not lead to a directory of the host.
  Fd opened{::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  Fd folder = opened ? find_in_root(opened, "/etc/ld.so.conf.d") : Fd{};
  std::error_code problem;
  fs::directory_iterator at, end;
  if (folder) at = fs::directory_iterator(link_of(folder), problem);
  for (; at != end && files.size() < max_files; at.increment(problem))
    files.push_back("/etc/ld.so.conf.d/" + at->path().filename().string());
  for (const std::string& file : files) {
    std::vector<std::string> lines;
    add_path(lines, read_in_root(root, file, max_size), '\n');
    for (std::string& line : lines)
      if (line.starts_with('/')) directories.push_back(std::move(line));
  }
}

std::vector<std::string> directories_of(uint32_t pid, const std::string& root) {
  std::vector<std::string> directories;
  std::error_code problem;
  std::string program = fs::read_symlink(fmt::format("/proc/{}/exe", pid), problem).string();
  std::string origin = program.substr(0, program.rfind('/'));
  add_path(directories, environment_variable(pid, "LD_LIBRARY_PATH"), ':');
  add_path(directories, run_path(fmt::format("/proc/{}/exe", pid), origin), ':');
  add_configured(directories, root);
  for (const char* directory : default_directories) directories.emplace_back(directory);
  if (!origin.empty()) directories.push_back(origin);
  return directories;
}

}  // namespace

std::vector<std::string> find_libraries(uint32_t pid, const std::function<bool(std::string_view name)>& is_wanted) {
  std::string root_path = fmt::format("/proc/{}/root", pid);
  Fd root{::open(root_path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  std::string hidden = link_text(root_path);  // the prefix that a process in a chroot(2) does not see
  std::vector<std::string> found;
  std::set<std::string> known;
  for (const std::string& directory : directories_of(pid, root_path)) {
    Fd opened = root && directory.starts_with('/') ? find_in_root(root, directory) : Fd{};
    if (!opened) continue;
    std::error_code problem;
    for (fs::directory_iterator at(link_of(opened), problem), end; at != end; at.increment(problem)) {
      std::string name = at->path().filename().string();
      Fd file = is_wanted(name) ? find_in_root(root, directory + "/" + name) : Fd{};
      if (!file) continue;
      std::string real = link_text(link_of(file));
      if (hidden.size() > 1 && real.starts_with(hidden)) real.erase(0, hidden.size());
      if (real.starts_with('/') && known.insert(real).second) found.push_back(real);
    }
  }
  return found;
}

}  // namespace dscope
