// SourceSet: all D texts of a run (scripts, -n strings, D libraries) in one offset space, so that a SourceRange alone
// identifies a position. The driver creates it, and it outlives all views into it.
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

// The origin of a unit, which decides lexical rules and the form of messages (d-language.md 1.10, 10.1).
enum class UnitKind { Script, String, Library };

// The rightmost field that a probe specifier of one word may name: with -P, -m, -f, or -n/-s/-i.
enum class SpecifierField { Provider, Module, Function, Name };

struct SourceUnit {
  UnitKind kind = UnitKind::String;
  std::string name;  // files: the path as given; strings: the whole argument
  std::string text;
  SpecifierField last_field = SpecifierField::Name;
  uint32_t base = 0;                  // offset of text[0] in the offset space
  std::vector<uint32_t> line_starts;  // offset in `text` of each line
};

// A location for messages. Lines and columns count from 1. The line is the physical line of the unit's text.
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
  // The unit and physical line that contain `offset`. Offsets past the end yield the last line.
  SourceLocation locate(uint32_t offset) const;
  std::string_view text(SourceRange range) const;

 private:
  std::deque<SourceUnit> units_;  // stable addresses: views into texts stay valid
  uint32_t end_ = 0;
};

}  // namespace dscope
