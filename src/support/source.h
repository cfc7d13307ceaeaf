// SourceSet: every D text of a run (scripts, -n strings, D libraries) in one offset space, so that a
// SourceRange alone names a place. Made by the driver, outlives everything that holds views into it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

// Half-open byte range in the offset space of a SourceSet.
struct SourceRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

struct UnitId {
  uint32_t index = 0;
  bool operator==(const UnitId&) const = default;
};

// Where a unit came from; decides lexing rules and message shapes (d-language.md 1.10, 10.1).
enum class UnitKind { Script, String, Library };

// The right-most field a one-word probe specifier may name: -P, -m, -f, or -n/-s/-i.
enum class SpecifierField { Provider, Module, Function, Name };

struct SourceUnit {
  UnitKind kind = UnitKind::String;
  std::string name;  // path as given for files; the whole argument for strings
  std::string text;
  SpecifierField last_field = SpecifierField::Name;
  uint32_t base = 0;                  // offset of text[0] in the offset space
  std::vector<uint32_t> line_starts;  // where in `text` each line begins
};

// A place for people: line and column count from 1; the line is the physical one in the unit's text.
struct SourceLocation {
  UnitId unit;
  uint32_t line = 1;
  uint32_t column = 1;
  std::string_view line_text;  // without the newline
};

class SourceSet {
 public:
  UnitId add(UnitKind kind, std::string name, std::string text, SpecifierField last_field = SpecifierField::Name);
  size_t size() const { return units_.size(); }
  const SourceUnit& unit(UnitId id) const { return units_[id.index]; }
  // The unit and physical line that hold `offset`; offsets past the end give the last line.
  SourceLocation locate(uint32_t offset) const;
  std::string_view text(SourceRange range) const;

 private:
  std::deque<SourceUnit> units_;  // stable addresses: views into texts stay valid
  uint32_t end_ = 0;
};

}  // namespace dscope
