// Handles only pointers and one array suffix, because kernel formats contain no other declarators.
#include "contract/types/type_text.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace dscope {
namespace {

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Splits text into words and single `*`s. Skips all other characters.
std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_word_character(text[end])) ++end;
    if (end > at) words.emplace_back(text.substr(at, end - at));
    else if (text[at] == '*') words.emplace_back("*");
    at = std::max(end, at + 1);
  }
  return words;
}

bool is_qualifier(std::string_view word) {
  return word == "const" || word == "volatile" || word == "restrict" || word == "__user" || word == "__kernel" ||
         word == "__rcu" || word == "__percpu" || word.starts_with("__seg_");
}

// Returns the canonical name of an integer type, whose words may be in any order.
std::optional<std::string> integer_name(const std::vector<std::string>& words) {
  size_t longs = 0, shorts = 0, chars = 0, ints = 0, is_unsigned = 0, is_signed = 0;
  for (const std::string& word : words) {
    size_t* count = word == "long"       ? &longs
                    : word == "short"    ? &shorts
                    : word == "char"     ? &chars
                    : word == "int"      ? &ints
                    : word == "unsigned" ? &is_unsigned
                    : word == "signed"   ? &is_signed
                                         : nullptr;
    if (count == nullptr) return std::nullopt;
    ++*count;
  }
  std::string sign = is_unsigned != 0 ? "unsigned " : "";
  if (chars != 0) return is_signed != 0 ? "signed char" : sign + "char";
  if (shorts != 0) return sign + "short";
  if (longs != 0) return sign + (longs > 1 ? "long long" : "long");
  return sign + "int";
}

std::optional<TypeId> find_base(TypeTable& types, const std::vector<std::string>& words,
                                const NamedTypeLookup& lookup) {
  if (words.empty()) return std::nullopt;
  if (auto name = integer_name(words)) return types.find(*name);
  std::string name = words[0];
  for (size_t i = 1; i < words.size(); ++i) name += " " + words[i];
  // Tries D's own names first: `pid_t` must not need the kernel's types.
  auto own = types.find(name);
  if (own && (types.is_integer(*own) || types.get(*own).kind == TypeKind::Void)) return own;
  return lookup(name);
}

}  // namespace

DeclarationText split_declaration(std::string_view text) {
  DeclarationText result;
  text = trim(text);
  for (auto [attribute, flag] : {std::pair{"__data_loc ", &result.is_data_loc}, {"__rel_loc ", &result.is_rel_loc}})
    if (text.starts_with(attribute)) {
      *flag = true;
      text.remove_prefix(std::string_view{attribute}.size());
    }
  // The array suffix follows the type in `__data_loc char[] name` and the name in `char comm[16]`.
  std::string rest{text};
  if (size_t open = rest.find('['); open != std::string::npos) {
    size_t close = rest.rfind(']');
    size_t length = close == std::string::npos ? std::string::npos : close + 1 - open;
    result.array_suffix = rest.substr(open, length);
    rest.erase(open, length);
  }
  std::string_view declaration = trim(rest);
  size_t name_start = declaration.size();
  while (name_start > 0 && is_word_character(declaration[name_start - 1])) --name_start;
  result.name = declaration.substr(name_start);
  result.type = trim(declaration.substr(0, name_start));
  return result;
}

std::optional<TypeId> read_type_text(TypeTable& types, std::string_view text, PointerSpace space,
                                     const NamedTypeLookup& lookup) {
  std::vector<std::string> base;
  size_t pointers = 0;
  for (std::string& word : split_words(text.substr(0, text.find('['))))
    if (word == "*") ++pointers;
    else if (!is_qualifier(word)) base.push_back(std::move(word));
  auto type = find_base(types, base, lookup);
  if (!type && pointers == 0) return std::nullopt;
  TypeId result = type.value_or(types.void_type());
  for (; pointers > 0; --pointers) result = types.pointer_to(result, space == PointerSpace::User);
  if (text.find('[') == std::string_view::npos) return result;
  uint32_t count = 0;
  for (char c : text.substr(text.find('[')))
    if (c >= '0' && c <= '9') count = count * 10 + static_cast<uint32_t>(c - '0');
  return types.array_of(result, count);
}

}  // namespace dscope
