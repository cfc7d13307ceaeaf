// Dialect: the D that a program is written in: that of Linux, or with option compat=solaris that of Solaris scripts.
// Each difference is a question, and code asks the question instead of comparing the option.
#pragma once

#include <string_view>

namespace dscope {

class Dialect {
 public:
  Dialect() = default;  // Linux
  // compat: the value of the option.
  explicit Dialect(std::string_view compat) : is_solaris_(compat == "solaris") {}

  // Names, types and members that Linux lacks stand for the library's emulations, whose names begin with __solaris_.
  bool emulates_solaris_names() const { return is_solaris_; }
  // Probe descriptions name the probes of Solaris: one for each of its system calls, whatever Linux calls them.
  bool has_solaris_probes() const { return is_solaris_; }
  // A variable whose first value is a plain 0 gets 64 bits: Solaris scripts count nanoseconds in such variables.
  bool widens_plain_zero() const { return is_solaris_; }

 private:
  bool is_solaris_ = false;
};

}  // namespace dscope
