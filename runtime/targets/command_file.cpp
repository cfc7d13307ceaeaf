#include "runtime/targets/command_file.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "support/fd.h"
#include "support/format.h"

namespace dscope {

namespace {

// Up to `size` bytes of the begin of a file; empty if it cannot be read.
std::string begin_of_file(const std::string& path, size_t size) {
  Fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  std::string begin(size, '\0');
  ssize_t got = file ? ::read(file.get(), begin.data(), begin.size()) : -1;
  begin.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return begin;
}

// The interpreter of a script ("#!/path"); empty if the command is not a readable script.
std::string interpreter_of(const std::string& command) {
  if (command.find('/') == std::string::npos) return {};
  std::string line = begin_of_file(command, PATH_MAX);
  line.resize(std::min(line.find('\n'), line.size()));
  if (!line.starts_with("#!")) return {};
  size_t begin = std::min(line.find_first_not_of(" \t", 2), line.size());
  return line.substr(begin, line.find_first_of(" \t", begin) - begin);
}

bool is_32_bit_elf_file(const std::string& path) {
  std::string begin = begin_of_file(path, EI_NIDENT);
  return begin.starts_with(ELFMAG) && begin.size() == EI_NIDENT && begin[EI_CLASS] == ELFCLASS32;
}

}  // namespace

std::string file_of_command(const std::string& command) {
  if (command.find('/') != std::string::npos) return ::access(command.c_str(), X_OK) == 0 ? command : std::string{};
  const char* path = ::getenv("PATH");
  std::string_view rest = path ? path : "/bin:/usr/bin";
  for (;;) {
    size_t end = std::min(rest.find(':'), rest.size());
    // An empty part of PATH is the current folder.
    std::string file = fmt::format("{}/{}", end == 0 ? "." : rest.substr(0, end), command);
    if (::access(file.c_str(), X_OK) == 0) return file;
    if (end == rest.size()) return {};
    rest.remove_prefix(end + 1);
  }
}

bool is_elf_file(const std::string& path) { return begin_of_file(path, SELFMAG).starts_with(ELFMAG); }

Error cannot_execute(const std::string& command, int error_number) {
  std::string interpreter = error_number == ENOENT ? interpreter_of(command) : std::string{};
  if (!interpreter.empty())
    return Error::from_errno(error_number, "failed to execute {}: its interpreter {}", command, interpreter);
  Error error = Error::from_errno(error_number, "failed to execute {}", command);
  if (error_number == ENOEXEC && is_32_bit_elf_file(file_of_command(command)))
    return std::move(error).hint("it is a 32-bit program, and this machine runs none");
  return error;
}

}  // namespace dscope
