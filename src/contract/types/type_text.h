// Parses C types as tracefs formats and the table of system calls spell them: "const char *", "unsigned int",
// "struct task_struct *", "char comm[16]".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "contract/types/type.h"

namespace dscope {

// A declaration of one parameter or field, split: "const char * filename" -> {"const char *", "filename"};
// "__data_loc char[] name", "char comm[16]" -> {.., .., array_suffix "[]", "[16]"}.
struct DeclarationText {
  std::string type;  // without attributes, array suffix and superfluous blanks
  std::string name;
  std::string array_suffix;
  bool is_data_loc = false, is_rel_loc = false;
};
DeclarationText split_declaration(std::string_view text);

// Looks up "struct x", "union x", "enum x" or a typedef.
using NamedTypeLookup = std::function<std::optional<TypeId>(const std::string& name)>;

enum class PointerSpace : uint8_t { Kernel, User };

// Pointers to unknown types become `void *`; nullopt for any other unknown type.
std::optional<TypeId> read_type_text(TypeTable& types, std::string_view text, PointerSpace space,
                                     const NamedTypeLookup& lookup);

}  // namespace dscope
