#include "frontend/syntax/macro_expander.h"

#include <charconv>

#include "frontend/syntax/lexer.h"
#include "frontend/syntax/literal.h"
#include "frontend/syntax/process_word.h"
#include "frontend/syntax/token_reader.h"

namespace dscope {

static std::string_view dollars(const Token& macro) { return macro.as_text ? "$$" : "$"; }

Token MacroExpander::expand(Token macro) {
  if (tokens_.mode() == LexMode::Outer) {
    macro.kind = TokenKind::Invalid;
    return macro;
  }
  macro.is_macro = true;
  return macro.kind == TokenKind::MacroArgument ? expand_argument(std::move(macro)) : expand_variable(std::move(macro));
}

const std::string* MacroExpander::find_argument(uint64_t index) {
  const std::vector<std::string>& arguments = context_.macros.arguments;
  if (index == 0) return source_.kind == UnitKind::String ? &context_.macros.program_name : &source_.name;
  if (source_.kind == UnitKind::Library || index > arguments.size()) return nullptr;
  is_last_argument_used_ = is_last_argument_used_ || index == arguments.size();
  return &arguments[index - 1];
}

Token MacroExpander::expand_argument(Token macro) {
  const std::string* argument = find_argument(macro.value);
  if (argument == nullptr && !options_.default_arguments && !has_options()) {
    tokens_.error(Tag::D_MACRO_UNDEF, macro.at(), "macro argument {}{} is not defined", dollars(macro), macro.value);
    return tokens_.end_token();
  }
  if (macro.as_text) {
    macro.kind = TokenKind::String;
    macro.text = argument != nullptr ? process_escapes(*argument) : std::string();
    return macro;
  }
  return relex(std::move(macro), argument != nullptr ? std::string_view(*argument) : "0");
}

namespace {

bool is_identifier(std::string_view text) {
  if (text.empty() || !is_word_start(text[0])) return false;
  for (char c : text)
    if (!is_word_start(c) && (c < '0' || c > '9')) return false;
  return true;
}

}  // namespace

// An argument becomes an integer with an optional sign, an identifier or a string.
Token MacroExpander::relex(Token macro, std::string_view text) {
  bool has_sign = !text.empty() && (text[0] == '-' || text[0] == '+');
  std::string_view digits = text.substr(has_sign ? 1 : 0);
  IntegerText integer = scan_integer(digits);
  if (integer.length > 0 && integer.length == digits.size()) {
    if (integer.error != IntegerError::None) {
      Tag tag = integer.error == IntegerError::Overflow ? Tag::D_MACRO_OFLOW : Tag::D_INT_DIGIT;
      tokens_.error(tag, macro.at(), "macro argument ${} is not a valid integer constant: {}", macro.value, text);
      return tokens_.end_token();
    }
    Token number = macro;
    number.kind = TokenKind::Integer;
    number.value = integer.value;
    number.int_type = integer.type;
    if (!has_sign) return number;
    tokens_.push_pending(std::move(number));
    macro.kind = text[0] == '-' ? TokenKind::Minus : TokenKind::Plus;
    return macro;
  }
  if (is_identifier(text)) {
    macro.text = text;
    macro.kind = tokens_.mode() == LexMode::Member ? TokenKind::Identifier : keyword_kind(text);
    return macro;
  }
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  macro.kind = TokenKind::String;
  macro.text = process_escapes(text);
  return macro;
}

const std::string* MacroExpander::find_option_text(const ScriptOption& option) const {
  for (const ScriptValue& value : context_.macros.options)
    if (value.name == option.macro()) return &value.text;
  return option.default_text.empty() ? nullptr : &option.default_text;
}

// $top: a number, or the text of an option that has no number. $$top: the text.
Token MacroExpander::expand_option(Token macro, const ScriptOption& option) {
  const std::string* text = find_option_text(option);
  macro.is_option = true;
  if (macro.as_text || option.kind == ScriptValueKind::Text) {
    macro.kind = TokenKind::String;
    macro.text = text != nullptr ? process_escapes(*text) : std::string();
    return macro;
  }
  Result<uint64_t> number = text != nullptr ? script_number(option, *text) : uint64_t{0};
  if (!number) {
    tokens_.error(Tag::D_MACRO_UNDEF, macro.at(), "{}", number.error().message());
    return tokens_.end_token();
  }
  macro.kind = TokenKind::Integer;
  macro.text.clear();
  macro.value = *number;
  if (*number > INT32_MAX) macro.int_type = IntLiteralType::Long;
  return macro;
}

// $x, and $$vars for all of them. The names of macro variables win.
bool MacroExpander::names_traced_variable(const Token& macro) const {
  LexMode mode = tokens_.mode();
  bool is_in_expression = mode == LexMode::Inner || mode == LexMode::Predicate || mode == LexMode::PredicateNested;
  return is_in_expression && (!macro.as_text || macro.text == all_traced_variables.substr(1));
}

Token MacroExpander::expand_variable(Token macro) {
  if (const ScriptOption* option = find_option(macro.text)) return expand_option(std::move(macro), *option);
  if (macro.text == "format") {
    macro.kind = TokenKind::String;
    macro.text = context_.macros.format;
    return macro;
  }
  std::optional<uint64_t> value = find_variable(macro.text);
  if (!value && names_traced_variable(macro)) return macro;
  if (!value) {
    tokens_.error(Tag::D_MACRO_UNDEF, macro.at(), "macro variable {}{} is not defined", dollars(macro), macro.text);
    return tokens_.end_token();
  }
  macro.kind = macro.as_text ? TokenKind::String : TokenKind::Integer;
  macro.text = macro.as_text ? std::to_string(*value) : std::string();
  macro.value = *value;
  return macro;
}

Token MacroExpander::expand_process_word(Token word) {
  std::string_view process = process_of(word.text);
  if (!process.empty() && process[0] != '$') return word;
  std::string_view name = process.empty() ? "target" : process.substr(1);
  std::string number;
  if (name[0] >= '0' && name[0] <= '9') {
    uint64_t index = 0;
    std::from_chars(name.data(), name.data() + name.size(), index);
    if (const std::string* argument = find_argument(index)) number = *argument;
  } else if (auto value = find_variable(name)) {
    number = std::to_string(*value);
  }
  if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) {
    tokens_.error(Tag::D_MACRO_UNDEF, word.at(), "macro ${} is not a process id", name);
    return tokens_.end_token();
  }
  word.text.replace(word.text.find('d') + 1, process.size(), number);
  return word;
}

std::optional<uint64_t> MacroExpander::find_variable(std::string_view name) const {
  if (name == "target") return context_.macros.target;
  if (name == "projid" || name == "taskid")
    return 0;  // Linux has neither projects nor tasks; 0 is the id of the default project and task
  const std::optional<TracerIdentity>& recorded = context_.macros.tracer;
  return recorded ? recorded->find(name) : current_tracer().find(name);
}

}  // namespace dscope
