// The names of a container that built-in variables contain. Records and keys store the id of a cgroup, which the
// consumer resolves; programs that compare a name look it up in a map that the consumer fills.
#pragma once

#include <cstdint>
#include <optional>

#include "catalog/catalog.h"

namespace dscope {

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
