// Dialect: whether a D program is written for Linux or, with option compat=solaris, for Solaris. Each difference is a
// question; code asks the question instead of comparing the option.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dscope {

class Dialect {
 public:
  constexpr Dialect() = default;  // Linux
  static constexpr Dialect solaris() {
    Dialect dialect;
    dialect.is_solaris_ = true;
    return dialect;
  }
  // `compat`: the value of the option.
  static constexpr Dialect of_option(std::string_view compat) { return compat == name ? solaris() : Dialect{}; }
  // True if the text of a program may set option compat, by a pragma, to another dialect than Linux.
  static constexpr bool may_be_set_by(std::string_view text) { return text.find(name) != text.npos; }

  friend constexpr bool operator==(Dialect, Dialect) = default;

  // ---------------------------------------------------------------- names

  // Names, types and members that Linux lacks stand for the library's emulations, whose names begin with __solaris_.
  constexpr bool emulates_solaris_names() const { return is_solaris_; }
  // Returns the library's name for a name that Linux lacks: "__solaris_hrtime_t" for "hrtime_t", "struct
  // __solaris_thread" for "struct thread".
  static std::string emulated_name(std::string_view solaris_name) {
    std::string emulated(solaris_name);
    return emulated.insert(solaris_name.rfind(' ') + 1, emulation_prefix);
  }
  // Returns the text with the names that the script uses for the library's names.
  static std::string without_emulation_prefixes(std::string text) {
    for (size_t at = 0; (at = text.find(emulation_prefix, at)) != std::string::npos;)
      text.erase(at, emulation_prefix.size());
    return text;
  }
  // Words that only the library of the emulations defines.
  static constexpr std::string_view library_words = "__solaris_thread __solaris_utsname";
  // Probe descriptions also match the probes that only the Solaris kernel has.
  constexpr bool has_solaris_probes() const { return is_solaris_; }
  // Probes of provider syscall have the names and arguments of Solaris's system calls.
  constexpr bool has_solaris_system_calls() const { return is_solaris_; }
  // Probe descriptions may spell out modules and functions of the Solaris kernel, and its versions of libraries.
  constexpr bool has_solaris_modules() const { return is_solaris_; }

  // ---------------------------------------------------------------- values

  // A variable whose first value is a plain 0 gets 64 bits: Solaris scripts count nanoseconds in such variables.
  constexpr bool widens_plain_zero() const { return is_solaris_; }
  constexpr bool equates_null_and_empty_string() const { return is_solaris_; }
  // trace() prints an array of bytes as text if it looks like text: Solaris scripts trace curpsinfo->pr_psargs.
  constexpr bool traces_text_in_bytes() const { return is_solaris_; }

  // ---------------------------------------------------------------- system calls

  // errno of a call that a signal interrupted is EINTR, not an internal code such as ERESTARTSYS.
  constexpr bool has_errno_of_interrupted_calls() const { return is_solaris_; }
  // arg0 and arg1 of a failed call are -1, not the negative error number.
  constexpr bool returns_minus_one_on_failure() const { return is_solaris_; }

  // ---------------------------------------------------------------- scratch memory

  // Scratch memory stays allocated for the following clauses of the same firing.
  constexpr bool keeps_scratch_between_clauses() const { return is_solaris_; }
  // copyin() allocates one more byte: Solaris scripts terminate the copied text themselves.
  constexpr bool has_room_for_terminator_after_copyin() const { return is_solaris_; }
  // The size of copyinstr() is a number of characters, without the terminator.
  constexpr bool has_copyinstr_size_without_terminator() const { return is_solaris_; }
  // The default of option scratchsize. Solaris scripts copy whole buffers of system calls without setting the option.
  constexpr int64_t default_scratchsize(int64_t on_linux) const { return is_solaris_ ? 16384 : on_linux; }

 private:
  static constexpr std::string_view name = "solaris", emulation_prefix = "__solaris_";
  bool is_solaris_ = false;
};

}  // namespace dscope
