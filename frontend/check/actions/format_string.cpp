#include "frontend/check/actions/format_string.h"

#include <algorithm>
#include <cctype>

#include "support/format.h"
#include "support/text/words.h"

namespace dscope {

namespace {

constexpr std::string_view conversion_names[] = {
    "d",  "i",   "u",   "o",   "x",   "X",   "c",   "C",  "e",  "E",  "f",  "g",  "G",  "p",  "s",  "S",
    "a",  "A",   "k",   "T",   "Y",   "hd",  "hi",  "ho", "hu", "hx", "hX", "ld", "li", "lo", "lu", "lx",
    "lX", "lld", "lli", "llo", "llu", "llx", "llX", "lc", "wc", "ls", "ws", "Le", "LE", "Lf", "Lg", "LG"};

constexpr const char* percent_sign = "print a percent sign with `%%`";

class FormatReader {
 public:
  FormatReader(std::string_view text, DataModel model) : text_(text), model_(model) {}

  ParsedFormat read() {
    ParsedFormat result{.text = std::string(text_)};
    while (at_ < text_.size() && error_.empty()) {
      ++number_;
      FormatConversion conversion;
      conversion.piece.literal = literal();
      if (at_ < text_.size()) read_conversion(conversion);
      result.conversions.push_back(std::move(conversion));
    }
    result.error = std::move(error_);
    result.hint = std::move(hint_);
    return result;
  }

 private:
  std::string literal() {
    size_t percent = std::min(text_.find('%', at_), text_.size());
    std::string found(text_.substr(at_, percent - at_));
    at_ = percent;
    return found;
  }

  void read_conversion(FormatConversion& conversion) {
    size_t first = ++at_;  // past the %
    has_dot_ = has_width_digits_ = false;
    for (; at_ < text_.size() && error_.empty(); ++at_) {
      char c = text_[at_];
      if (c == '%') return literal_percent(conversion, first);
      if (c == '$') return fail("uses unsupported positional format (%n$)");
      if (c == 'h' || c == 'l' || c == 'L' || c == 'w') {
        conversion.name += c;
      } else if (c == 'p' && conversion.piece.is_aggregation_value && is_digit_at(at_ + 1)) {
        percentile(conversion.piece);
      } else if (!modifier(conversion, c)) {
        ++at_;
        return finish(conversion, c);
      }
    }
    fail("name expected before end of format string");
    hint_ = percent_sign;
  }

  void literal_percent(FormatConversion& conversion, size_t first) {
    if (at_ != first) return fail("cannot be combined with other format flags: %%");
    ++at_;
    conversion.name = "%";
    conversion.piece.conversion = '%';
  }

  void finish(FormatConversion& conversion, char letter) {
    conversion.name += letter;
    bool is_known = std::find(std::begin(conversion_names), std::end(conversion_names), conversion.name) !=
                    std::end(conversion_names);
    if (!is_known) return fail_undefined(conversion.name);
    conversion.piece.conversion = letter;
    conversion.piece.is_wide = conversion.name.size() > 1 && (letter == 'c' || letter == 's');
  }

  bool is_digit_at(size_t at) const { return at < text_.size() && text_[at] >= '0' && text_[at] <= '9'; }

  // p99 or p99.9 of %@p99d. Leaves at_ on its last character.
  void percentile(FormatPiece& piece) {
    size_t end = std::min(text_.find_first_not_of("0123456789.", at_ + 1), text_.size());
    std::string_view number = text_.substr(at_ + 1, end - at_ - 1);
    piece.percentile = parse_percentile(number);
    at_ = end - 1;
    if (piece.percentile) return;
    fail(fmt::format("has a percentile that is not from 0 to 100 with at most three decimals: p{}", number));
    hint_ = "percentiles look like `%@p50d` and `%@p99.9d`";
  }

  // Flags, width and precision may come in any order (consumer-and-actions.md 4.1). False: `c` is none of them.
  bool modifier(FormatConversion& conversion, char c) {
    FormatPiece& piece = conversion.piece;
    if (c >= '0' && c <= '9') {
      digit(piece, c);
      return true;
    }
    switch (c) {
      case '#': piece.alternate = true; return true;
      case '-':
        piece.left = true;
        piece.zero_pad = false;
        return true;
      case '+': piece.plus = true; return true;
      case ' ': piece.space = true; return true;
      case '\'': piece.thousands = true; return true;
      case '@': piece.is_aggregation_value = true; return true;
      case '?': piece.width = model_ == DataModel::Lp64 ? 16 : 8; return true;
      case '.':
        if (has_dot_) fail("has more than one '.' specified");
        has_dot_ = true;
        return true;
      case '*': star(conversion); return true;
      default: return false;
    }
  }

  void digit(FormatPiece& piece, char c) {
    if (c == '0' && !has_dot_ && !has_width_digits_) {
      piece.zero_pad = true;
      piece.left = false;
      return;
    }
    uint32_t& number = has_dot_ ? piece.precision : piece.width;
    has_width_digits_ = has_width_digits_ || !has_dot_;
    uint64_t value = uint64_t{number} * 10 + static_cast<uint64_t>(c - '0');
    if (value > max_printed_width)
      return fail(fmt::format("has a {} above {}", has_dot_ ? "precision" : "width", max_printed_width));
    number = static_cast<uint32_t>(value);
  }

  void star(FormatConversion& conversion) {
    bool& is_dynamic = has_dot_ ? conversion.has_dynamic_precision : conversion.has_dynamic_width;
    if (is_dynamic)
      fail(fmt::format("has more than one '*' specified for the output {}", has_dot_ ? "precision" : "width"));
    is_dynamic = true;
  }

  void fail_undefined(const std::string& name) {
    fail("is undefined: %" + printable(name));
    bool is_letter = std::isalpha(static_cast<unsigned char>(name.front())) != 0;
    hint_ = is_letter ? fmt::format("use one of {}, with h, l or ll before integer conversions; {}",
                                    "%d %i %u %o %x %X %c %C %s %S %p %a %A %k %T %Y %e %f %g", percent_sign)
                      : percent_sign;
  }

  void fail(std::string_view what) {
    if (error_.empty()) error_ = fmt::format("format conversion #{} {}", number_, what);
  }

  std::string_view text_;
  DataModel model_;
  size_t at_ = 0;
  int number_ = 0;
  bool has_dot_ = false, has_width_digits_ = false;
  std::string error_, hint_;
};

}  // namespace

ParsedFormat parse_format(std::string_view bytes, DataModel model) {
  return FormatReader(bytes.substr(0, bytes.find('\0')), model).read();
}

}  // namespace dscope
