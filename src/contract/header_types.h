// HeaderTypes: what the checker may ask of the C headers that a script includes and D's grammar cannot read. Answered
// lazily, name by name (headers/c_headers.h); a compilation without such headers has none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "contract/type.h"

namespace dscope {

struct HeaderEnumerator {
  TypeId type;
  int64_t value = 0;
};

class HeaderTypes {
 public:
  virtual ~HeaderTypes() = default;

  // A type by its C name: "struct sockaddr", "enum e", "size_t". Imports it into `types`, with all that it is made of;
  // named ones with TypeTable::define_header, where a type that is there already stands. Cheap if there is none.
  virtual std::optional<TypeId> find_type(TypeTable& types, std::string_view name) = 0;
  // The name of a type of the same kind (struct, union, enum) that looks like `name`, for hints; empty if none does.
  virtual std::string nearest_type(std::string_view /*name*/) { return {}; }
  virtual std::optional<HeaderEnumerator> find_enumerator(TypeTable& types, std::string_view name) = 0;
};

}  // namespace dscope
