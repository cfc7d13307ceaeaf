// The output format (options format and oformat). All but Text are for programs and have no decoration: no header line,
// no row prefixes, no newline at exit.
#pragma once

#include <cstdint>

#include "catalog/option_values.h"

namespace dscope {

enum class OutputFormat : uint8_t {
  Text,
  JsonLines,     // one object per line
  JsonDocument,  // one object for the whole run, as on FreeBSD
  Csv,
  Folded,
  // Pictures of the whole run, for which TextConsumer sends the rows to the message stream.
  Svg,
  Pprof,
  Speedscope,
};

inline OutputFormat output_format(const OptionValues& options) {
  if (options.text(OptionId::Oformat) == "json") return OutputFormat::JsonDocument;
  std::string_view format = options.text(OptionId::Format);
  if (format == "json") return OutputFormat::JsonLines;
  if (format == "csv") return OutputFormat::Csv;
  if (format == "folded") return OutputFormat::Folded;
  if (format == "svg") return OutputFormat::Svg;
  if (format == "pprof") return OutputFormat::Pprof;
  if (format == "speedscope") return OutputFormat::Speedscope;
  return OutputFormat::Text;
}

inline bool is_picture(OutputFormat format) {
  return format == OutputFormat::Svg || format == OutputFormat::Pprof || format == OutputFormat::Speedscope;
}

inline bool is_json(OutputFormat format) {
  return format == OutputFormat::JsonLines || format == OutputFormat::JsonDocument;
}

}  // namespace dscope
