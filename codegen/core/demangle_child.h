// Demangles in a child process with limits on memory, stack and time. A name of 400 characters can expand to gigabytes,
// because its parts refer to earlier parts, and LLVM's demangler aborts when it runs out of memory. Names come from the
// files of any user.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "support/fd.h"

namespace dscope {

class DemangleChild {
 public:
  using Demangle = std::string (*)(std::string_view name, bool has_parameters);

  explicit DemangleChild(Demangle demangle) : demangle_(demangle) {}
  ~DemangleChild() { stop(); }
  DemangleChild(const DemangleChild&) = delete;
  DemangleChild& operator=(const DemangleChild&) = delete;

  // The result of `demangle` in the child; nullopt if the name exceeds a limit. After `max_failures` such names, no
  // child is started any more, and the result is nullopt for all names.
  std::optional<std::string> run(std::string_view name, bool has_parameters);

  static constexpr size_t max_name = 64 << 10, max_text = 16 << 10;  // bytes
  static constexpr int max_failures = 8;
  static constexpr int max_milliseconds = 500;  // for each name

 private:
  bool start();
  void stop();

  Demangle demangle_;
  Fd channel_;
  pid_t child_ = 0;
  int failures_ = 0;
};

}  // namespace dscope
