// HeaderTypes: types and enumerators of C headers that a script includes and D's grammar cannot parse. Lookups are
// lazy, name by name (headers/c_headers.h); a compilation without such headers has no HeaderTypes.
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

  // A type by its C name: "struct sockaddr", "enum e", "size_t". Imports it into `types` with
  // every type that it uses. Named types are added by TypeTable::define_header unless they exist there already. Cheap
  // if there is no such type.
  virtual std::optional<TypeId> find_type(TypeTable& types, std::string_view name) = 0;
  // The most similar name of a type of the same kind (struct, union, enum), for hints; empty if none is similar.
  virtual std::string nearest_type(std::string_view /*name*/) { return {}; }
  virtual std::optional<HeaderEnumerator> find_enumerator(TypeTable& types, std::string_view name) = 0;
};

}  // namespace dscope
