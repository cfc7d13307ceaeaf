#include "frontend/check/prototype.h"

#include <algorithm>

#include "support/check.h"

namespace dscope {

namespace {

std::string_view trim(std::string_view text) {
  size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

void add_argument(Prototype& prototype, std::string_view text, TypeTable& types, const FindNamedType& find) {
  if (text == "...") {
    prototype.has_varargs = true;
    return;
  }
  bool is_optional = text.starts_with('[');
  if (is_optional) text = trim(text.substr(1, text.size() - 2));
  PrototypeArgument argument{.text = std::string(text), .is_any = text == "@"};
  if (!argument.is_any) argument.type = parse_type_text(text, types, find);
  prototype.arguments.push_back(std::move(argument));
  if (!is_optional) prototype.required = prototype.arguments.size();
}

}  // namespace

TypeId parse_type_text(std::string_view text, TypeTable& types, const FindNamedType& find) {
  size_t stars = 0;
  for (text = trim(text); text.ends_with('*'); text = trim(text.substr(0, text.size() - 1))) ++stars;
  constexpr std::string_view qualifier = "const ";
  if (text.starts_with(qualifier)) text = trim(text.substr(qualifier.size()));
  TypeId type = find(text);
  for (; stars > 0; --stars) type = types.pointer_to(type);
  return type;
}

Prototype parse_prototype(std::string_view text, TypeTable& types, const FindNamedType& find) {
  size_t open = text.find('(');
  DS_CHECK(open != std::string_view::npos && text.ends_with(')'));
  Prototype prototype;
  prototype.result = parse_type_text(text.substr(0, open), types, find);
  std::string_view list = trim(text.substr(open + 1, text.size() - open - 2));
  while (!list.empty()) {
    size_t comma = std::min(list.find(','), list.size());
    add_argument(prototype, trim(list.substr(0, comma)), types, find);
    list = trim(list.substr(std::min(comma + 1, list.size())));
  }
  return prototype;
}

}  // namespace dscope
