#include "contract/global_function.h"

#include <charconv>

#include "support/format.h"

namespace dscope {

std::string global_function_name(std::string_view stem, std::span<const uint32_t> parameters) {
  std::string name = fmt::format("{}{}", global_function_prefix, stem);
  for (uint32_t bytes : parameters) name += fmt::format(".{}", bytes);
  return name;
}

std::optional<GlobalParameters> global_parameters(std::string_view name) {
  if (!name.starts_with(global_function_prefix)) return std::nullopt;
  size_t dot = name.find('.');
  if (dot == std::string_view::npos) return GlobalParameters{0, 0};
  GlobalParameters parameters;
  const char* end = name.data() + name.size();
  for (const char* at = name.data() + dot; at != end;) {
    uint32_t bytes = 0;
    if (*at != '.' || parameters.size() == max_function_parameters) return std::nullopt;
    auto [rest, error] = std::from_chars(at + 1, end, bytes);
    if (error != std::errc{}) return std::nullopt;
    parameters.push_back(bytes);
    at = rest;
  }
  return parameters;
}

}  // namespace dscope
