// TextSteps: the text of an action as a flat list of steps, each a literal and a value of the record, so that a record
// costs only its digits and characters. The steps print only the common conversions; PreparedFormat prints all of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/format/value_printer.h"

namespace dscope {

class TextSteps {
 public:
  enum class Value : uint8_t { None, Signed, Unsigned, Hexadecimal, Character, Text };
  struct Padding {
    uint32_t width = 0;  // 0: none
    bool is_left = false;
    bool has_zeroes = false;  // for numbers that are right-justified
  };

  void add_literal(std::string_view text);
  // `field` must outlive this object. Numbers have 1, 2, 4 or 8 bytes.
  void add_value(Value value, const Field& field, Padding padding, const ValuePrinter& values);

  // Bytes that write() may use. They are more than the longest text, because literals are copied in whole blocks.
  size_t max_size() const { return max_size_; }
  // True if some step prints traced text as it is: only correct while ValuePrinter::prints_text_unchanged().
  bool has_traced_text() const { return has_traced_text_; }

  // Writes the text of a record, which holds the whole layout, at `out`. Returns the end of the text.
  char* write(char* out, const std::byte* record, const ValuePrinter& values) const;

 private:
  // A longer literal takes several steps.
  static constexpr size_t literal_block = 16;

  struct Step {
    std::array<char, literal_block> literal{};
    uint8_t literal_size = 0;
    Value value = Value::None;
    uint32_t size = 0;  // of a number, in bytes
    Padding padding = {};
    uint32_t offset = 0;  // of a number
    const Field* field = nullptr;
  };

  static char* write_value(char* out, const Step& step, const std::byte* record, const ValuePrinter& values);

  std::vector<Step> steps_;
  size_t max_size_ = literal_block;
  bool has_traced_text_ = false;
};

}  // namespace dscope
