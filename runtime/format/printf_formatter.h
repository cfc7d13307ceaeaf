// PreparedFormat: a printf or printa format bound to the fields it prints, so that each record costs only the
// conversions themselves (consumer-and-actions.md 4).
#pragma once

#include <string>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/format/value_printer.h"

namespace dscope {

// What a conversion is printed with: its flags, with width and precision taken from the record where they are '*'.
struct ConversionStyle {
  uint32_t width = 0;      // 0: none
  uint32_t precision = 0;  // 0: none, as D has it
  bool alternate = false, zero_pad = false, left = false, plus = false, space = false, thousands = false;
};

// What %@ shows: the values of the aggregations of one printa(). `nth` counts the %@ of the format from 0.
class AggregatedValues {
 public:
  virtual ~AggregatedValues() = default;
  virtual void append(std::string& out, size_t nth, const FormatPiece& piece, const ConversionStyle& style) const = 0;
};

class PreparedFormat {
 public:
  // `format` and `fields` outlive this. fields: the action's, or the keys of the aggregation.
  PreparedFormat(const FormatPlan& format, const std::vector<Field>& fields);

  // `base`: record or key that holds the fields.
  void append(std::string& out, const std::byte* base, const ValuePrinter& values,
              const AggregatedValues* aggregated = nullptr) const;

 private:
  enum class Conversion : uint8_t {
    None,
    Percent,
    Signed,
    Unsigned,
    Character,
    EscapedCharacter,
    WideCharacter,
    WideText,
    Float,
    Text,
    EscapedText,
    Enumerator,
    Symbol,
    KernelAddress,
    TargetAddress,
    Stack,
    Time,
    Date,
    AggregationValue,
  };
  struct Piece {
    const FormatPiece* plan = nullptr;
    const Field* field = nullptr;
    const Field* width = nullptr;
    const Field* precision = nullptr;
    Conversion conversion = Conversion::None;
    bool is_plain = false;  // no flags, width or precision
    size_t nth_aggregation = 0;
  };

  static Conversion conversion_of(const FormatPiece& piece, const Field* field);
  static ConversionStyle style_of(const Piece& piece, const std::byte* base);
  static void append_styled(std::string& out, const Piece& piece, const std::byte* base, const ValuePrinter& values,
                            const ConversionStyle& style);
  static void append_escaped(std::string& out, const Piece& piece, const std::byte* base, const ValuePrinter& values,
                             const ConversionStyle& style);
  static bool append_plain(std::string& out, const Piece& piece, const std::byte* base, const ValuePrinter& values);

  std::vector<Piece> pieces_;
};

// One integer by conversion d i u o x X or p; signed if `is_signed` and the conversion is d or i.
void append_integer(std::string& out, char conversion, uint64_t value, bool is_signed, const ConversionStyle& style);
// The same and more: a number may be an address (a A) or a time (T Y) as well.
void append_number(std::string& out, char conversion, uint64_t value, bool is_signed, const ValuePrinter& values,
                   const ConversionStyle& style);

}  // namespace dscope
