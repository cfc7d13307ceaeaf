// The rows of letters.def: the effect of each option letter and its group in --help.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dscope {

enum class LetterEffect : uint8_t {
  Program,
  Setting,
  AnySetting,
  Command,
  Process,
  OutputFile,
  List,
  Verbose,
  CompileOnly,
  Version,
  DataModel,
  Anonymous,
  BufferedHandler,
  Object,
  Header,
};
enum class LetterGroup : uint8_t { Tracing, Output, Inspect, Limits, Preprocessor, Hidden };

struct LetterRow {
  char letter;
  std::string_view argument;  // empty: the letter has none
  LetterEffect effect;
  std::string_view option;
  LetterGroup group;
  std::string_view help;
};

inline constexpr LetterRow letter_rows[] = {
#define DS_LETTER(letter, argument, effect, option, group, help) \
  {letter, argument, LetterEffect::effect, option, LetterGroup::group, help},
#include "driver/command_line/letters.def"
#undef DS_LETTER
};

constexpr const LetterRow* find_letter(char letter) {
  for (const LetterRow& row : letter_rows)
    if (row.letter == letter) return &row;
  return nullptr;
}

}  // namespace dscope
