// Prototypes of the catalog ("string(const char *, [int])") as types, created once per row, at the first call.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/types/type.h"

namespace dscope {

struct PrototypeArgument {
  TypeId type;
  std::string text;     // as the catalog spells it, for messages
  bool is_any = false;  // @: whatever the caller's own checks allow
};

struct Prototype {
  TypeId result;
  std::vector<PrototypeArgument> arguments;
  size_t required = 0;  // the number of arguments that are not optional
  bool has_varargs = false;
};

// Gives the type of a name without pointers: "uintptr_t", "struct mutex".
using FindNamedType = std::function<TypeId(std::string_view)>;

TypeId parse_type_text(std::string_view text, TypeTable& types, const FindNamedType& find);
Prototype parse_prototype(std::string_view text, TypeTable& types, const FindNamedType& find);

}  // namespace dscope
