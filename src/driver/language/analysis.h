// Analysis: what the compiler finds out about a script that is being edited. It compiles the text in memory for a host,
// as `dscope -e` does, and never touches the kernel. A script gets the options of its first line (#!).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/command_line/command_line.h"
#include "driver/compile/compilation.h"

namespace dscope {

// Makes the machine to compile for. A compilation gets a host of its own: hosts keep references to its types.
using MakeHost = std::function<std::unique_ptr<Host>()>;

enum class ProblemSeverity : uint8_t { Error, Warning };

struct Problem {
  ProblemSeverity severity{};
  std::string tag;      // "D_IDENT_UNDEF"; empty for errors of the machine
  std::string message;  // one line without the place
  std::vector<std::string> hints;
  SourceRange range;  // offsets in the text; the first line if the mistake is elsewhere
};

// A name with its type: a member of a struct, an argument of a probe.
struct TypedName {
  std::string name, type;
  std::string detail;  // bit-field width and the like; may be empty
};

class Analysis {
 public:
  // base: a parsed command line with the options for all scripts, but without programs.
  Analysis(CommandLine base, MakeHost make_host);

  // The mistakes in a script: descriptions that match no probe as warnings, then the first error of the compiler.
  // path: the file that the text belongs to; it need not exist.
  std::vector<Problem> check(const std::string& path, const std::string& text) const;

  // The members that may stand at `offset`, behind `.` or `->`. Empty if the text before does not compile.
  std::vector<TypedName> members(const std::string& path, const std::string& text, uint32_t offset) const;

  // args[0] ... of the probes of a description, of the first probe that has some.
  std::vector<TypedName> arguments(const ProbeDescription& description) const;

  // The types of the variables that the script uses: "self->path", "int64_t". Empty if it does not compile.
  std::vector<TypedName> variables(const std::string& path, const std::string& text) const;

  // The members of a type of the kernel or of the D libraries: "struct task_struct", "psinfo_t".
  std::vector<TypedName> members_of_type(const std::string& type) const;

  std::unique_ptr<Host> make_host() const { return make_host_(); }
  // The D libraries: the built-in ones, then those of option libdir.
  const std::vector<LibraryFile>& libraries() const { return libraries_; }

 private:
  struct Run;
  void compile_text(Run& run, const std::string& path, const std::string& text, bool allows_unmatched) const;

  CommandLine base_;
  MakeHost make_host_;
  std::vector<LibraryFile> libraries_;
  std::string solaris_;  // the library for option compat=solaris, for hints
};

}  // namespace dscope
