#include "catalog/stability.h"

#include <algorithm>
#include <iterator>

#include "support/format.h"
#include "support/text/words.h"

namespace dscope {

namespace {

constexpr std::string_view stability_names[] = {"Internal", "Private",  "Obsolete", "External",
                                                "Unstable", "Evolving", "Stable",   "Standard"};
constexpr std::string_view class_names[] = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};

template <typename Value, size_t N>
std::optional<Value> find_word(const std::string_view (&names)[N], std::string_view word) {
  auto found =
      std::find_if(std::begin(names), std::end(names), [&](auto name) { return equals_ignoring_case(name, word); });
  if (found == std::end(names)) return std::nullopt;
  return static_cast<Value>(found - std::begin(names));
}

}  // namespace

std::string_view to_string(Stability stability) { return stability_names[static_cast<size_t>(stability)]; }
std::string_view to_string(DependencyClass dependency) { return class_names[static_cast<size_t>(dependency)]; }

std::string to_string(const Attributes& attributes) {
  return fmt::format("{}/{}/{}", to_string(attributes.name), to_string(attributes.data),
                     to_string(attributes.dependency));
}

Attributes minimum(const Attributes& a, const Attributes& b) {
  return {.name = std::min(a.name, b.name),
          .data = std::min(a.data, b.data),
          .dependency = std::min(a.dependency, b.dependency)};
}

bool satisfies(const Attributes& attributes, const Attributes& required) {
  return attributes.name >= required.name && attributes.data >= required.data &&
         attributes.dependency >= required.dependency;
}

std::optional<Attributes> parse_attributes(std::string_view text) {
  std::string_view words[3];
  size_t count = 0;
  for (;;) {
    size_t end = std::min(text.find('/'), text.size());
    if (count == std::size(words)) return std::nullopt;
    words[count++] = text.substr(0, end);
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
  }
  auto name = find_word<Stability>(stability_names, words[0]);
  auto data = count > 1 ? find_word<Stability>(stability_names, words[1]) : Stability::Standard;
  auto dependency = count > 2 ? find_word<DependencyClass>(class_names, words[2]) : DependencyClass::Common;
  if (!name || !data || !dependency) return std::nullopt;
  return Attributes{.name = *name, .data = *data, .dependency = *dependency};
}

}  // namespace dscope
