#include "support/diagnostic.h"

#include <algorithm>

#include "support/line_marker.h"
#include "support/text/visible_text.h"

namespace dscope {

std::string_view to_string(Tag tag) {
  static constexpr std::string_view names[] = {
#define DS_TAG(name) #name,
#include "support/tags.def"
#undef DS_TAG
  };
  return names[static_cast<size_t>(tag)];
}

void Diagnostics::add(Diagnostic diagnostic) {
  if (has_error_) return;
  first_ = std::move(diagnostic);
  has_error_ = true;
}

void Diagnostics::hint(std::string text) {
  if (has_error_ && first_.hint.empty()) first_.hint = std::move(text);
}

void Diagnostics::clear() {
  has_error_ = false;
  first_ = {};
}

uint32_t Diagnostics::intern_file(std::string name) {
  auto found = std::find(files_.begin(), files_.end(), name);
  if (found == files_.end()) found = files_.insert(files_.end(), std::move(name));
  return static_cast<uint32_t>(found - files_.begin()) + 1;
}

std::string_view Diagnostics::file_name(uint32_t file) const {
  return file == 0 || file > files_.size() ? std::string_view{} : std::string_view{files_[file - 1]};
}

namespace {

std::string where(const Diagnostics& diagnostics, const SourceUnit& unit, const Diagnostic& error, uint32_t line) {
  std::string_view file = diagnostics.file_name(error.at.file);
  if (file.empty() && unit.kind == UnitKind::Library) file = unit.name;
  if (!file.empty()) return fmt::format("\"{}\", line {}: ", file, line);
  if (unit.kind == UnitKind::Script) return fmt::format("line {}: ", line);
  switch (error.phase) {
    case DiagnosticPhase::ActionList: return "in action list: ";
    case DiagnosticPhase::Predicate: return "in predicate: ";
    case DiagnosticPhase::Parse: break;
  }
  return {};
}

// An error in a library is reported as an error of the first program, which the library is compiled for.
const SourceUnit& user_unit(const SourceSet& sources, const SourceUnit& unit) {
  if (unit.kind != UnitKind::Library) return unit;
  for (uint32_t i = 0; i < sources.size(); ++i)
    if (const SourceUnit& other = sources.unit({i}); other.kind != UnitKind::Library) return other;
  return unit;
}

// Names and constants may have megabytes. A terminal shows only their beginning.
std::string shortened(std::string_view text, size_t max_length) {
  return text.size() <= max_length ? std::string(text) : std::string(text.substr(0, max_length)) + "...";
}

// Shortens a program of the command line to its beginning: the excerpt below shows the location.
std::string short_name(UnitKind kind, std::string_view name) {
  constexpr size_t max_length = 60;
  if (kind != UnitKind::String) return std::string(name);
  size_t newline = name.find('\n');
  return newline == std::string_view::npos ? shortened(name, max_length)
                                           : std::string(name.substr(0, std::min(newline, max_length))) + "...";
}

std::string failure_text(UnitKind kind, std::string_view name) {
  return fmt::format("{} {}", kind == UnitKind::String ? "invalid probe specifier" : "failed to compile script", name);
}

// The error with its location and the text before its message, for both renderings.
struct LocatedError {
  LocatedError(const Diagnostics& diagnostics, bool show_tags)
      : error(diagnostics.first()),
        location(diagnostics.sources().locate(error.at.range.begin)),
        user(user_unit(diagnostics.sources(), diagnostics.sources().unit(location.unit))) {
    uint32_t line = error.at.line != 0 ? error.at.line : location.line;
    if (show_tags) before_message = fmt::format("[{}] ", to_string(error.tag));
    before_message += where(diagnostics, diagnostics.sources().unit(location.unit), error, line);
  }

  const Diagnostic& error;
  SourceLocation location;
  const SourceUnit& user;
  std::string before_message;
};

}  // namespace

std::string failure_text(const SourceUnit& unit) { return failure_text(unit.kind, unit.name); }

std::string render(const Diagnostics& diagnostics, std::string_view program_name, bool show_tags) {
  LocatedError located(diagnostics, show_tags);
  return fmt::format("{}: {}: {}{}\n", program_name, visible_text(failure_text(located.user)),
                     visible_text(located.before_message), visible_text(located.error.message));
}

std::string render_full(const Diagnostics& diagnostics, std::string_view program_name, bool show_tags,
                        const std::vector<std::string>& hints, const Terminal& terminal) {
  constexpr size_t max_length = 600;
  LocatedError located(diagnostics, show_tags);
  Palette colors(terminal);
  std::string failure = failure_text(located.user.kind, short_name(located.user.kind, located.user.name));
  std::string text =
      fmt::format("{}: {}: {}{}{}{}\n", program_name, safe_text(failure), safe_text(located.before_message),
                  colors.bold, safe_text(shortened(located.error.message, max_length)), colors.reset);
  SourceLocation shown = located.location;
  const SourceUnit& unit = diagnostics.sources().unit(shown.unit);
  shown.line = marked_line(unit.text, located.error.at.range.begin - std::min(unit.base, located.error.at.range.begin));
  text += excerpt(shown, located.error.at.range, terminal);
  for (const std::string& hint : hints)
    text += fmt::format("{}      = hint:{} {}\n", colors.hint, colors.reset, safe_text(shortened(hint, max_length)));
  if (!show_tags) text += fmt::format("{}      = [{}]{}\n", colors.dim, to_string(located.error.tag), colors.reset);
  return text;
}

}  // namespace dscope
