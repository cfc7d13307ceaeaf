// Which form the output takes (options format and oformat). The forms for programs hold no decoration: no header line,
// no row prefixes, no newline at exit.
#pragma once

#include <cstdint>

#include "catalog/option_values.h"

namespace dscope {

enum class OutputFormat : uint8_t {
  Text,
  JsonLines,     // an object per line
  JsonDocument,  // one object for the whole run, as FreeBSD has it
  Csv,
  Folded,
};

inline OutputFormat output_format(const OptionValues& options) {
  if (options.text(OptionId::Oformat) == "json") return OutputFormat::JsonDocument;
  std::string_view format = options.text(OptionId::Format);
  if (format == "json") return OutputFormat::JsonLines;
  if (format == "csv") return OutputFormat::Csv;
  if (format == "folded") return OutputFormat::Folded;
  return OutputFormat::Text;
}

inline bool is_json(OutputFormat format) {
  return format == OutputFormat::JsonLines || format == OutputFormat::JsonDocument;
}

}  // namespace dscope
