// HeaderTypes: types and enumerators of C headers that a script includes and D's grammar cannot parse. Lookups are
// lazy, name by name (headers/c_headers.h); a compilation without such headers has no HeaderTypes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "contract/types/type.h"

namespace dscope {

struct HeaderEnumerator {
  TypeId type;
  int64_t value = 0;
};

class HeaderTypes {
 public:
  virtual ~HeaderTypes() = default;

  // Finds a type by its C name: "struct sockaddr", "enum e", "size_t". Imports it into `types` with every type that it
  // uses, and adds new named types by TypeTable::define_header. Cheap if there is no such type.
  virtual std::optional<TypeId> find_type(TypeTable& types, std::string_view name) = 0;
  // Returns the most similar name of a type of the same kind (struct, union, enum), for hints; may be empty.
  virtual std::string nearest_type(std::string_view /*name*/) { return {}; }
  virtual std::optional<HeaderEnumerator> find_enumerator(TypeTable& types, std::string_view name) = 0;
};

}  // namespace dscope
