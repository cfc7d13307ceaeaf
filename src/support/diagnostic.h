// Diagnostics: what is wrong with the user's D program, with tag, place and hint.
// The first error ends a compilation (d-language.md 0: exactly one message is printed), so Diagnostics keeps
// that one and later reports are dropped: no cascade can reach the user.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/excerpt.h"
#include "support/format.h"
#include "support/source.h"

namespace dscope {

// Every tag of d-language.md 10.3; spelled in C++ as in D.
enum class Tag : uint16_t {
#define DS_TAG(name) name,
#include "support/tags.def"
#undef DS_TAG
};
std::string_view to_string(Tag tag);

// Which part of a clause was being worked on: strings name it in the message (d-language.md 10.1).
enum class DiagnosticPhase : uint8_t { Parse, ActionList, Predicate };

// A place in the program. `line` is the number the reference gives for this construct (10.2), after
// #line mapping; 0 means: derive it from range.begin. `file` is non-empty if #line named another source.
struct Position {
  SourceRange range;
  uint32_t line = 0;
  uint32_t file = 0;  // 0: the unit itself; else index+1 into the parser's table of #line file names
};

struct Diagnostic {
  Tag tag{};
  std::string message;  // classic text, without place or prefix; may span lines
  Position at;
  DiagnosticPhase phase = DiagnosticPhase::Parse;
  std::string hint;  // "did you mean ...", may be empty; shown in full only
};

class Diagnostics {
 public:
  explicit Diagnostics(const SourceSet& sources) : sources_(&sources) {}

  template <typename... Args>
  void error(Tag tag, const Position& at, fmt::format_string<Args...> text, Args&&... args) {
    add({.tag = tag, .message = fmt::format(text, std::forward<Args>(args)...), .at = at, .phase = phase_, .hint = {}});
  }
  // Keeps `diagnostic` if it is the first; its phase is taken as given.
  void add(Diagnostic diagnostic);
  // Adds a hint to the kept error if it was reported since the last call that reported one; else nothing.
  void hint(std::string text);

  bool has_errors() const { return has_error_; }
  const Diagnostic& first() const { return first_; }
  // For speculative checking (predicate retry, d-language.md 5.3): forget the error.
  void clear();

  void set_phase(DiagnosticPhase phase) { phase_ = phase; }
  DiagnosticPhase phase() const { return phase_; }
  const SourceSet& sources() const { return *sources_; }

  // Names introduced by #line and cpp markers; returns the value for Position::file.
  uint32_t intern_file(std::string name);
  std::string_view file_name(uint32_t file) const;

 private:
  const SourceSet* sources_;
  Diagnostic first_;
  bool has_error_ = false;
  DiagnosticPhase phase_ = DiagnosticPhase::Parse;
  std::vector<std::string> files_;
};

// What went wrong for the user, before the colon: "failed to compile script FILE", "invalid probe specifier STRING".
std::string failure_text(const SourceUnit& unit);

// The classic text of dtrace(1) for stderr, newline-terminated: "PROGRAM: failed to compile script FILE: [TAG] line N:
// MESSAGE", or the form for strings. `show_tags` is option errtags.
std::string render(const Diagnostics& diagnostics, std::string_view program_name, bool show_tags);

// The same for people at a terminal: followed by the source line with the place marked, `hints` and the tag. Long texts
// are cut, and nothing of the program reaches the terminal as a control character.
std::string render_full(const Diagnostics& diagnostics, std::string_view program_name, bool show_tags,
                        const std::vector<std::string>& hints, const Terminal& terminal = {});

}  // namespace dscope
