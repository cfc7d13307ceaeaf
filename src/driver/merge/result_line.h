// One line of a result of --format=json, alone or behind the name of its machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/output/json_value.h"

namespace dscope {

enum class LineKind : uint8_t {
  Event,    // an object that --format=json prints
  Damaged,  // the start of one: the rest was cut off
  Foreign,  // anything else: output of the traced command, a message of ssh
};

struct ResultLine {
  LineKind kind = LineKind::Foreign;
  std::string machine;  // the word before the object without its colon, as pdsh and clush print it; empty: none
  Json event;
};

ResultLine read_result_line(std::string_view line);

}  // namespace dscope
