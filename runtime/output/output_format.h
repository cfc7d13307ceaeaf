// Which form the output takes (option format). The forms for programs hold no decoration: no header line, no row
// prefixes, no newline at exit.
#pragma once

#include <cstdint>

#include "catalog/option_values.h"

namespace dscope {

enum class OutputFormat : uint8_t { Text, Json, Csv, Folded };

inline OutputFormat output_format(const OptionValues& options) {
  std::string_view format = options.text(OptionId::Format);
  if (format == "json") return OutputFormat::Json;
  if (format == "csv") return OutputFormat::Csv;
  if (format == "folded") return OutputFormat::Folded;
  return OutputFormat::Text;
}

}  // namespace dscope
