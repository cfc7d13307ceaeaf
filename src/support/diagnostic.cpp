#include "support/diagnostic.h"

#include <algorithm>

#include "support/line_marker.h"

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

// Libraries are compiled for the first program: it is what could not be compiled.
const SourceUnit& user_unit(const SourceSet& sources, const SourceUnit& unit) {
  if (unit.kind != UnitKind::Library) return unit;
  for (uint32_t i = 0; i < sources.size(); ++i)
    if (const SourceUnit& other = sources.unit({i}); other.kind != UnitKind::Library) return other;
  return unit;
}

// Source line and caret; tabs are kept so that the caret stands below its character in any terminal.
std::string excerpt(const SourceLocation& place, uint32_t number, SourceRange range) {
  constexpr size_t widest = 160;
  std::string_view text = place.line_text;
  size_t column = place.column - 1;
  size_t skipped = column > widest ? column - widest / 2 : 0;
  text = text.substr(std::min(skipped, text.size()), widest);
  column -= skipped;
  std::string safe{text};
  for (char& c : safe)
    if (c != '\t' && static_cast<unsigned char>(c) < 0x20) c = '?';
  std::string pad{safe.substr(0, std::min(column, safe.size()))};
  for (char& c : pad)
    if (c != '\t') c = ' ';
  size_t length = range.end > range.begin ? range.end - range.begin : 1;
  length = std::max<size_t>(1, std::min(length, safe.size() > column ? safe.size() - column : 1));
  return fmt::format("{:5} | {}\n      | {}^{}\n", number, safe, pad, std::string(length - 1, '~'));
}

}  // namespace

std::string failure_text(const SourceUnit& unit) {
  return fmt::format("{} {}", unit.kind == UnitKind::String ? "invalid probe specifier" : "failed to compile script",
                     unit.name);
}

std::string render(const Diagnostics& diagnostics, std::string_view program_name, bool show_tags,
                   DiagnosticStyle style) {
  const Diagnostic& error = diagnostics.first();
  const SourceSet& sources = diagnostics.sources();
  SourceLocation place = sources.locate(error.at.range.begin);
  const SourceUnit& unit = sources.unit(place.unit);
  uint32_t line = error.at.line != 0 ? error.at.line : place.line;
  std::string text = fmt::format("{}: {}: ", program_name, failure_text(user_unit(sources, unit)));
  if (show_tags) text += fmt::format("[{}] ", to_string(error.tag));
  text += where(diagnostics, unit, error, line) + error.message + "\n";
  if (style == DiagnosticStyle::Classic) return text;
  uint32_t number = marked_line(unit.text, error.at.range.begin - std::min(unit.base, error.at.range.begin));
  text += excerpt(place, number, error.at.range);
  if (!error.hint.empty()) text += fmt::format("      = hint: {}\n", error.hint);
  if (!show_tags) text += fmt::format("      = [{}]\n", to_string(error.tag));
  return text;
}

}  // namespace dscope
