// Names that built-in variables contain and that the consumer prints for a number: the parts of a probe's name, by the
// row of the probe, and the names of a container, by the id of a cgroup. Programs that compare the name of a container
// look it up in a map that the consumer fills.
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

enum class ContainerPart : uint8_t { Container, Pod, Namespace, Image };

inline constexpr ContainerPart all_container_parts[] = {ContainerPart::Container, ContainerPart::Pod,
                                                        ContainerPart::Namespace, ContainerPart::Image};

// Bytes of the longest name, with its terminator.
inline constexpr uint32_t max_container_name_bytes = 256;

// Returns the part that a variable such as pod contains; nothing for other variables.
constexpr std::optional<ContainerPart> container_part(BuiltinVariable variable) {
  if (variable == BuiltinVariable::Container) return ContainerPart::Container;
  if (variable == BuiltinVariable::Pod) return ContainerPart::Pod;
  if (variable == BuiltinVariable::Namespace) return ContainerPart::Namespace;
  if (variable == BuiltinVariable::Image) return ContainerPart::Image;
  return std::nullopt;
}

// The map from ids of cgroups to the names of this part, as strings.
constexpr const char* container_map(ContainerPart part) {
  switch (part) {
    case ContainerPart::Container: return "ds_container";
    case ContainerPart::Pod: return "ds_pod";
    case ContainerPart::Namespace: return "ds_namespace";
    case ContainerPart::Image: break;
  }
  return "ds_image";
}

}  // namespace dscope
