#include "catalog/number_names.h"

#include <array>
#include <vector>

namespace dscope {

namespace {

using GroupedNames = std::array<std::vector<NumberName>, number_group_count>;

GroupedNames read_names() {
  struct Row {
    NumberGroup group;
    NumberName name;
  };
  static constexpr Row rows[] = {
#define DS_NUMBER_NAME(group, name, value) {NumberGroup::group, {#name, value}},
#define DS_NUMBER_ARGUMENT(...)
#include "catalog/number_names.def"
#undef DS_NUMBER_ARGUMENT
#undef DS_NUMBER_NAME
  };
  GroupedNames names;
  for (const Row& row : rows) names[static_cast<size_t>(row.group)].push_back(row.name);
  return names;
}

}  // namespace

std::span<const NumberName> names_of(NumberGroup group) {
  static const GroupedNames names = read_names();
  return names[static_cast<size_t>(group)];
}

std::optional<NumberGroup> group_of_argument(std::string_view provider, std::string_view function,
                                             std::string_view name, std::string_view argument) {
  struct Row {
    NumberGroup group;
    std::string_view provider, function, name, argument;
  };
  static constexpr Row rows[] = {
#define DS_NUMBER_NAME(...)
#define DS_NUMBER_ARGUMENT(group, provider, function, name, argument) \
  {NumberGroup::group, provider, function, name, argument},
#include "catalog/number_names.def"
#undef DS_NUMBER_ARGUMENT
#undef DS_NUMBER_NAME
  };
  auto is_of = [](std::string_view field, std::string_view text) { return field.empty() || field == text; };
  for (const Row& row : rows)
    if (argument == row.argument && is_of(row.provider, provider) && is_of(row.function, function) &&
        is_of(row.name, name))
      return row.group;
  return std::nullopt;
}

}  // namespace dscope
