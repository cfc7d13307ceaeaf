// The four parts of a probe's name, and the built-in variables that contain them.
#pragma once

#include <cstdint>
#include <optional>

#include "catalog/catalog.h"
#include "support/check.h"

namespace dscope {

enum class ProbePart : uint8_t { Provider, Module, Function, Name };

// Returns the part that a variable such as probeprov contains; nothing for other variables.
constexpr std::optional<ProbePart> probe_part(BuiltinVariable variable) {
  if (variable == BuiltinVariable::Probeprov) return ProbePart::Provider;
  if (variable == BuiltinVariable::Probemod) return ProbePart::Module;
  if (variable == BuiltinVariable::Probefunc) return ProbePart::Function;
  if (variable == BuiltinVariable::Probename) return ProbePart::Name;
  return std::nullopt;
}

// Returns the member for a part of the name of a Probe or ProbePlan, or of the ProviderAttributes.
template <typename Probe>
const auto& member_of(const Probe& probe, ProbePart part) {
  switch (part) {
    case ProbePart::Provider: return probe.provider;
    case ProbePart::Module: return probe.module;
    case ProbePart::Function: return probe.function;
    case ProbePart::Name: return probe.name;
  }
  DS_UNREACHABLE();
}

}  // namespace dscope
