// The documentation of the names of D, as editors show it: the texts of dscope-d(7) and the rows of the catalog.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

enum class NameKind : uint8_t { Variable, Subroutine, Action, Aggregation, Keyword };

struct NameDoc {
  NameKind kind{};
  std::string_view name;
  // "int tid", "string basename(const char *)": as D would declare it.
  std::string signature;
  std::string_view text;  // of man/reference.txt; may be empty
};

// All names that programs may use, sorted by name; without those of the D libraries, which begin with "__".
const std::vector<NameDoc>& all_name_docs();
const NameDoc* find_name_doc(std::string_view name);

// The parameters of a prototype, each as written: "void(@, int, [int])" has three. Empty for "int()".
std::vector<std::string_view> prototype_parameters(std::string_view prototype);

}  // namespace dscope
