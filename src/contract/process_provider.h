// Names of process providers: "python123" for one process, "python*" for all processes that map a file, including those
// that start later. In D, probeprov contains the pid of the process that fired.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dscope {

// Digits of the largest pid on Linux (2^22).
inline constexpr unsigned process_digits = 7;

inline bool is_of_all_processes(std::string_view provider) { return provider.ends_with('*'); }

// The pid provider, and the word before the pid in the names of a process's types.
inline constexpr std::string_view pid_provider = "pid";

// The process and the object that a D module names: "pid123", "pid123`libc.so.6".
struct ProcessScope {
  uint32_t pid = 0;
  std::string_view object;  // file name; empty for all objects of the process
};

// Returns nothing if `module` does not begin with "pid" and a number. The result refers to `module`.
inline std::optional<ProcessScope> parse_process_scope(std::string_view module) {
  if (!module.starts_with(pid_provider)) return std::nullopt;
  ProcessScope scope;
  const char* end = module.data() + module.size();
  auto [rest, error] = std::from_chars(module.data() + pid_provider.size(), end, scope.pid);
  if (error != std::errc{} || (rest != end && *rest != '`')) return std::nullopt;
  if (rest != end) scope.object = {rest + 1, static_cast<size_t>(end - rest - 1)};
  return scope;
}

}  // namespace dscope
