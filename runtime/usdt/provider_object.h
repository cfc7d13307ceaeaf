// dscope -G: writes the object that a program with static probes is linked with. It defines the USDT semaphores and the
// functions that objects built with another DTrace's header call, and holds the provider definitions.
#pragma once

#include <span>
#include <string>

#include "contract/defined_provider.h"
#include "runtime/usdt/object_probes.h"
#include "support/result.h"

namespace dscope {

struct ObjectKind {
  uint16_t machine = 0;  // EM_X86_64...
  bool is_64_bit = true;
};

// The kind of the given objects, which must agree; without objects the kind of this machine in the requested data
// model.
Result<ObjectKind> object_kind(std::span<const ObjectProbes> objects, bool is_64_bit);

// Error if an object fires a probe that the providers do not define, or with another number of arguments.
Result<> check_objects(std::span<const DefinedProvider> providers, std::span<const ObjectProbes> objects);

// Writes the relocatable file. `objects` must have passed check_objects().
Result<> write_provider_object(const std::string& path, ObjectKind kind, std::span<const DefinedProvider> providers,
                               std::span<const ObjectProbes> objects);

}  // namespace dscope
