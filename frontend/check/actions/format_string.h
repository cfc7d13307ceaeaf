// Parses printf/printa formats (consumer-and-actions.md 4.1) into conversions and checks each against the table of 4.2.
// format_checker.cpp matches them with the arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contract/program_plan.h"

namespace dscope {

// The kind of value that a conversion prints.
enum class FormatAccepts : uint8_t {
  Integer,
  SmallInteger,
  Float,
  LongDouble,
  Address,
  UserAddress,
  Text,
  WideText,
  WideCharacter,
  Nanoseconds,
  Stack,
  Sized,
};

struct FormatConversion {
  FormatPiece piece;  // fields not filled in
  std::string name;   // with size letters: "d", "lld"; empty: trailing text without conversion
  bool has_dynamic_width = false, has_dynamic_precision = false;
};

struct ParsedFormat {
  std::string text;
  std::vector<FormatConversion> conversions;
  std::string error;  // message of D_SYNTAX; empty: none
  std::string hint;   // for the error, may be empty
};

// `bytes`: after escape processing; the format ends at its first NUL. `model` decides the width of %?.
ParsedFormat parse_format(std::string_view bytes, DataModel model = DataModel::Lp64);

}  // namespace dscope
