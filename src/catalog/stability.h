// Attributes: how much a program may rely on what it names (d-language.md 11.1). A triple of name stability, data
// stability and dependency class, each ordered from low to high; what combines several things is as good as the worst.
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

// Field by field the lower one.
Attributes minimum(const Attributes& a, const Attributes& b);
// Whether `attributes` reach `least` in each field.
bool reaches(const Attributes& attributes, const Attributes& least);

// NAME[/DATA[/CLASS]] in any case; what is left out is the highest there is. Nothing if a word is unknown.
std::optional<Attributes> parse_attributes(std::string_view text);

}  // namespace dscope
