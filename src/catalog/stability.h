// Attributes: the stability of the names and data that a program uses (d-language.md 11.1). A triple of name stability,
// data stability and dependency class, each ordered from low to high. A combination has the minimum of each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dscope {

enum class Stability : uint8_t { Internal, Private, Obsolete, External, Unstable, Evolving, Stable, Standard };
enum class DependencyClass : uint8_t { Unknown, Cpu, Platform, Group, Isa, Common };

struct Attributes {
  Stability name = Stability::Stable, data = Stability::Stable;
  DependencyClass dependency = DependencyClass::Common;
  bool operator==(const Attributes&) const = default;
};

std::string_view to_string(Stability stability);
std::string_view to_string(DependencyClass dependency);
// "Stable/Private/Common"
std::string to_string(const Attributes& attributes);

// Returns the minimum of each field.
Attributes minimum(const Attributes& a, const Attributes& b);
// Whether each field of `attributes` is at least that of `required`.
bool satisfies(const Attributes& attributes, const Attributes& required);

// Parses NAME[/DATA[/CLASS]], ignoring case. Omitted parts are the highest. Returns nullopt if a word is unknown.
std::optional<Attributes> parse_attributes(std::string_view text);

}  // namespace dscope
