// Random conversions of printf(), their arguments, and the expected output.
#include <cstdio>

#include "recording.h"
#include "types.h"

namespace dscope::oracle {

namespace {

// A conversion as the format scanner parses it (4.1).
struct Conversion {
  bool has_hash = false, has_zero = false, has_minus = false, has_plus = false, has_blank = false;
  int64_t width = 0, precision = 0;
};

class Printf {
 public:
  explicit Printf(std::mt19937_64& random) : random_(random) {}

  Recording run(int calls) {
    for (int i = 0; i < calls; ++i) call(i);
    return {declarations_ + "BEGIN {\n" + assignments_ + "}\n" + clauses_ + "BEGIN { exit(0); }\n", expected_ + "\n"};
  }

 private:
  unsigned pick(size_t n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return pick(100) < percent; }

  void call(int number) {
    format_ = "<" + std::to_string(number) + ">";
    line_ = format_;
    arguments_.clear();
    for (unsigned count = 1 + pick(4); count > 0; --count) {
      conversion();
      const char* words[] = {"|", " and ", "%%", ": ", "\\t"};
      const char* printed[] = {"|", " and ", "%", ": ", "\t"};
      unsigned word = pick(5);
      format_ += words[word];
      line_ += printed[word];
    }
    clauses_ += "BEGIN { printf(\"" + format_ + "\\n\"" + arguments_ + "); }\n";
    expected_ += line_ + "\n";
  }

  void add_argument(const std::string& argument) { arguments_ += ", " + argument; }

  // Some arguments are literals, some variables, which the compiler cannot fold.
  std::string argument(const std::string& type, const std::string& value) {
    if (chance(50)) return type == "string" ? value : "(" + type + ")" + value;
    std::string name = "v" + std::to_string(++variables_);
    declarations_ += type + " " + name + ";\n";
    assignments_ += "  " + name + " = " + (type == "string" ? value : "(" + type + ")" + value) + ";\n";
    return name;
  }

  void flags(Conversion& conversion) {
    for (unsigned count = pick(3); count > 0; --count) {
      char flag = "#0-+ "[pick(5)];
      format_ += flag;
      switch (flag) {
        case '#': conversion.has_hash = true; break;
        case '0': conversion.has_zero = true, conversion.has_minus = false; break;
        case '-': conversion.has_minus = true, conversion.has_zero = false; break;
        case '+': conversion.has_plus = true; break;
        default: conversion.has_blank = true; break;
      }
    }
  }

  void dynamic(int64_t& value, int64_t least) {
    value = least + pick(static_cast<size_t>(25 - least));
    format_ += "*";
    add_argument(argument("int", std::to_string(static_cast<int>(value)) + ""));
  }

  void sizes(Conversion& conversion) {
    switch (pick(6)) {
      case 0:
      case 1: format_ += std::to_string(conversion.width = 1 + pick(30)); break;
      case 2: dynamic(conversion.width, -20); break;
      case 3: format_ += "?", conversion.width = 16; break;
      default: break;
    }
    if (conversion.width < 0) {
      conversion.has_minus = true, conversion.has_zero = false;
      conversion.width = -conversion.width;
    }
    switch (pick(8)) {
      case 0: format_ += "." + std::to_string(conversion.precision = pick(25)); break;
      case 1: format_ += ".", dynamic(conversion.precision, 0); break;
      case 2: format_ += "."; break;
      default: break;
    }
  }

  static std::string format_of(const Conversion& conversion, const std::string& letters) {
    std::string format = "%";
    if (conversion.has_hash) format += '#';
    if (conversion.has_zero) format += '0';
    if (conversion.has_minus) format += '-';
    if (conversion.has_plus) format += '+';
    if (conversion.has_blank) format += ' ';
    if (conversion.width != 0) format += std::to_string(conversion.width);
    if (conversion.precision != 0) format += "." + std::to_string(conversion.precision);
    return format + letters;
  }

  template <typename T>
  void print(const Conversion& conversion, const std::string& letters, T value) {
    char text[512];
    int length = std::snprintf(text, sizeof text, format_of(conversion, letters).c_str(), value);
    line_.append(text, static_cast<size_t>(length));
  }

  int64_t interesting() {
    switch (pick(5)) {
      case 0: return static_cast<int64_t>(pick(7)) - 3;
      case 1: return static_cast<int64_t>((uint64_t{1} << pick(64)) - pick(2));
      case 2: return pick(300);
      case 3: return -static_cast<int64_t>(pick(70000));
      default: return static_cast<int64_t>(random_());
    }
  }

  void conversion() {
    Conversion conversion;
    format_ += "%";
    flags(conversion);
    sizes(conversion);
    switch (pick(6)) {
      case 0: return text(conversion);
      case 1: return character(conversion);
      default: return integer(conversion);
    }
  }

  void text(const Conversion& conversion) {
    static constexpr const char* words[] = {"", "a", "hello", "some words in a row", "/a/b", "x"};
    std::string word = words[pick(6)];
    format_ += "s";
    add_argument(argument("string", "\"" + word + "\""));
    print(conversion, "s", word.c_str());
  }

  void character(const Conversion& conversion) {
    char value = static_cast<char>(' ' + pick(95));
    format_ += "c";
    add_argument(argument(chance(50) ? "char" : "int", std::to_string(value)));
    print(conversion, "c", value);
  }

  // A conversion letter that needs a certain type gets an argument of that type.
  void integer(const Conversion& conversion) {
    const Type* type = &types_.integer_at(pick(17));
    std::string letters(1, "diuoxX"[pick(6)]);
    char letter = letters[0];
    if (chance(25)) {
      struct Typed {
        const char *letters, *type;
      };
      static constexpr Typed typed[] = {
          {"hd", "short"},         {"ld", "long"},      {"lld", "long long"},    {"hx", "short"},
          {"lx", "unsigned long"}, {"llx", "uint64_t"}, {"lu", "unsigned long"}, {"llu", "unsigned long long"}};
      const Typed& row = typed[pick(8)];
      letters = row.letters;
      letter = letters.back();
      type = &types_.integer(row.type);
    } else if (type->bits == 64 && chance(10)) {
      letters = "p";
      letter = 'x';
    }
    format_ += letters;
    int64_t value = narrow(interesting(), *type);
    add_argument(argument(type->name, std::to_string(static_cast<uint64_t>(value)) + "ull"));
    bool is_signed_letter = letter == 'd' || letter == 'i';
    if (is_signed_letter && type->is_unsigned) letter = 'u';
    if (type->bits == 64) return print(conversion, std::string("ll") + letter, static_cast<long long>(value));
    if (is_signed_letter && !type->is_unsigned) return print(conversion, "d", static_cast<int>(value));
    print(conversion, std::string(1, letter), static_cast<unsigned>(narrow_bits(value, type->bits, true)));
  }

  std::mt19937_64& random_;
  Types types_{256};
  std::string declarations_, assignments_, clauses_, expected_;
  std::string format_, line_, arguments_;
  int variables_ = 0;
};

}  // namespace

Recording random_printfs(std::mt19937_64& random, int calls) { return Printf(random).run(calls); }

}  // namespace dscope::oracle
