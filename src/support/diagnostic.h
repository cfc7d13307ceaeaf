// Diagnostics: an error in the user's D program, with its tag, location and hint.
// The first error ends a compilation (d-language.md 0: exactly one message is printed). Diagnostics keeps that error
// and drops later ones, so the user never sees a cascade.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/excerpt.h"
#include "support/format.h"
#include "support/source.h"

namespace dscope {

// The tags of d-language.md 10.3, spelled in C++ as in D.
enum class Tag : uint16_t {
#define DS_TAG(name) name,
#include "support/tags.def"
#undef DS_TAG
};
std::string_view to_string(Tag tag);

// The part of a clause that was being compiled. Messages about programs in strings name it (d-language.md 10.1).
enum class DiagnosticPhase : uint8_t { Parse, ActionList, Predicate };

// A position in the program. `line` is the line number that d-language.md 10.2 specifies for this construct, after
// #line mapping; 0: the line of range.begin. `file` is nonzero if #line named another source.
struct Position {
  SourceRange range;
  uint32_t line = 0;
  uint32_t file = 0;  // 0: the unit itself; else the index of a #line file name, plus 1 (Diagnostics::intern_file)
};

struct Diagnostic {
  Tag tag{};
  std::string message;  // the classic text, without location or prefix; may span lines
  Position at;
  DiagnosticPhase phase = DiagnosticPhase::Parse;
  std::string hint;  // "did you mean ...", may be empty; only render_full() shows it
};

class Diagnostics {
 public:
  explicit Diagnostics(const SourceSet& sources) : sources_(&sources) {}

  template <typename... Args>
  void error(Tag tag, const Position& at, fmt::format_string<Args...> text, Args&&... args) {
    add({.tag = tag, .message = fmt::format(text, std::forward<Args>(args)...), .at = at, .phase = phase_, .hint = {}});
  }
  // Keeps `diagnostic`, with the phase it has, if it is the first.
  void add(Diagnostic diagnostic);
  // Adds a hint to the first error, unless it already has one.
  void hint(std::string text);

  bool has_errors() const { return has_error_; }
  const Diagnostic& first() const { return first_; }
  // Drops the error, for speculative checks (predicate retry, d-language.md 5.3).
  void clear();

  void set_phase(DiagnosticPhase phase) { phase_ = phase; }
  DiagnosticPhase phase() const { return phase_; }
  const SourceSet& sources() const { return *sources_; }

  // Stores a file name from #line or a line marker. Returns the value for Position::file.
  uint32_t intern_file(std::string name);
  std::string_view file_name(uint32_t file) const;

 private:
  const SourceSet* sources_;
  Diagnostic first_;
  bool has_error_ = false;
  DiagnosticPhase phase_ = DiagnosticPhase::Parse;
  std::vector<std::string> files_;
};

// The start of the message, before the colon: "failed to compile script FILE", "invalid probe specifier STRING".
std::string failure_text(const SourceUnit& unit);

// The classic text of dtrace(1) for stderr, newline-terminated: "PROGRAM: failed to compile script FILE: [TAG] line N:
// MESSAGE", or its form for strings. `show_tags`: the option errtags.
std::string render(const Diagnostics& diagnostics, std::string_view program_name, bool show_tags);

// The text of render() for a terminal, followed by the source line with the error marked, `hints` and the tag.
// Truncates long texts, and replaces control characters in text from the program.
std::string render_full(const Diagnostics& diagnostics, std::string_view program_name, bool show_tags,
                        const std::vector<std::string>& hints, const Terminal& terminal = {});

}  // namespace dscope
