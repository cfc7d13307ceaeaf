#include "support/source.h"

#include <algorithm>

namespace dscope {

UnitId SourceSet::add(UnitKind kind, std::string name, std::string text, SpecifierField last_field) {
  SourceUnit unit{
      .kind = kind, .name = std::move(name), .text = std::move(text), .last_field = last_field, .base = end_};
  unit.line_starts.push_back(0);
  for (size_t at = 0; (at = unit.text.find('\n', at)) != std::string::npos;)
    unit.line_starts.push_back(static_cast<uint32_t>(++at));
  // Leaves one byte between units, so that the end offset of a unit is never the first offset of the next.
  end_ += static_cast<uint32_t>(unit.text.size()) + 1;
  units_.push_back(std::move(unit));
  return UnitId{static_cast<uint32_t>(units_.size() - 1)};
}

SourceLocation SourceSet::locate(uint32_t offset) const {
  SourceLocation location;
  if (units_.empty()) return location;
  auto after = std::upper_bound(units_.begin(), units_.end(), offset,
                                [](uint32_t at, const SourceUnit& unit) { return at < unit.base; });
  const SourceUnit& unit = after == units_.begin() ? units_.front() : *(after - 1);
  location.unit = UnitId{static_cast<uint32_t>(after == units_.begin() ? 0 : after - units_.begin() - 1)};
  std::string_view text = unit.text;
  size_t at = std::min<size_t>(offset - std::min(offset, unit.base), text.size());
  auto next_line = std::upper_bound(unit.line_starts.begin(), unit.line_starts.end(), at);
  location.line = static_cast<uint32_t>(next_line - unit.line_starts.begin());
  size_t start = *(next_line - 1);
  size_t stop = text.find('\n', at);
  if (stop == std::string_view::npos) stop = text.size();
  location.column = static_cast<uint32_t>(at - start + 1);
  location.line_text = text.substr(start, stop - start);
  return location;
}

std::string_view SourceSet::text(SourceRange range) const {
  SourceLocation location = locate(range.begin);
  const SourceUnit& unit = units_[location.unit.index];
  size_t begin = std::min<size_t>(range.begin - unit.base, unit.text.size());
  size_t end = std::clamp<size_t>(range.end - unit.base, begin, unit.text.size());
  return std::string_view(unit.text).substr(begin, end - begin);
}

}  // namespace dscope
