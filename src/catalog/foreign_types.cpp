#include "catalog/foreign_types.h"

#include <utility>

namespace dscope {

namespace {

constexpr std::pair<std::string_view, std::string_view> foreign_types[] = {
#define DS_FOREIGN_TYPE(name, type) {name, type},
#include "catalog/foreign_types.def"
#undef DS_FOREIGN_TYPE
};

}  // namespace

std::string_view find_foreign_type(std::string_view name) {
  for (auto [foreign, type] : foreign_types)
    if (foreign == name) return type;
  return {};
}

}  // namespace dscope
