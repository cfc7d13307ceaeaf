// PreparedFormat: a printf() or printa() format bound to the fields that it prints, so that a record costs only the
// conversions (consumer-and-actions.md 4).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/format/text_steps.h"
#include "runtime/format/value_printer.h"

namespace dscope {

// Flags, width and precision of one conversion. Where the format says '*', width and precision come from the record.
struct ConversionStyle {
  uint32_t width = 0;      // 0: none
  uint32_t precision = 0;  // 0: none, unlike in C
  bool alternate = false, zero_pad = false, left = false, plus = false, space = false, thousands = false;
};

// Prints %@: the values of the aggregations of one printa(). `nth` counts the %@ of the format from 0.
class AggregatedValues {
 public:
  virtual ~AggregatedValues() = default;
  virtual void append(std::string& out, size_t nth, const FormatPiece& piece, const ConversionStyle& style) const = 0;
};

class PreparedFormat {
 public:
  // `fields` are those of the action, or the keys of the aggregation. Both arguments must outlive this object.
  PreparedFormat(const FormatPlan& format, const std::vector<Field>& fields);

  // `base` is the record or key that holds the fields. `aggregated` may be null if the format has no %@.
  void append(std::string& out, const std::byte* base, const ValuePrinter& values,
              const AggregatedValues* aggregated = nullptr) const;

  // The format as steps, for the fields that this object is bound to; nothing if it has a conversion or a flag that no
  // step prints.
  std::optional<TextSteps> steps(const ValuePrinter& values) const;

  // The text of each conversion without padding, in order, and the index of its field. Skips %% and %@.
  struct ValueText {
    int32_t field;
    std::string text;
  };
  std::vector<ValueText> value_texts(const std::byte* base, const ValuePrinter& values) const;
  // The fields of value_texts().
  std::vector<int32_t> value_fields() const;

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
    std::string_view literal;  // of the plan
    const Field* field = nullptr;
    const Field* width = nullptr;
    const Field* precision = nullptr;
    Conversion conversion = Conversion::None;
    bool is_plain = false;  // no flags, width or precision
    size_t nth_aggregation = 0;
  };

  static bool is_value(const Piece& piece) {
    return piece.conversion != Conversion::None && piece.conversion != Conversion::Percent &&
           piece.conversion != Conversion::AggregationValue;
  }
  static Conversion conversion_of(const FormatPiece& piece, const Field* field);
  static ConversionStyle style_of(const Piece& piece, const std::byte* base);
  static void append_styled(std::string& out, const Piece& piece, const std::byte* base, const ValuePrinter& values,
                            const ConversionStyle& style);
  static void append_escaped(std::string& out, const Piece& piece, const std::byte* base, const ValuePrinter& values,
                             const ConversionStyle& style);
  static bool append_plain(std::string& out, const Piece& piece, const std::byte* base, const ValuePrinter& values);
  static std::optional<TextSteps::Value> step_value(const Piece& piece);

  std::vector<Piece> pieces_;
};

// Appends an integer by conversion d i u o x X or p; signed if `is_signed` and the conversion is d or i.
void append_integer(std::string& out, char conversion, uint64_t value, bool is_signed, const ConversionStyle& style);
// append_integer() for these conversions; also prints the number as an address (a A) or a time (T Y).
void append_number(std::string& out, char conversion, uint64_t value, bool is_signed, const ValuePrinter& values,
                   const ConversionStyle& style);

}  // namespace dscope
