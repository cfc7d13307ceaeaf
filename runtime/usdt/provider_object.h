// dscope -G: the object that a program with static probes is linked with. It defines the counters of those who watch,
// the functions that stand for probes in objects made with another DTrace's header, and keeps the definitions.
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

// That of the objects; of this machine, in the data model asked for, if there are none. Objects must agree.
Result<ObjectKind> object_kind(std::span<const ObjectProbes> objects, bool is_64_bit);

// Whether what the objects fire is what the providers define.
Result<> check_objects(std::span<const DefinedProvider> providers, std::span<const ObjectProbes> objects);

// Writes the relocatable file; `objects` have been checked.
Result<> write_provider_object(const std::string& path, ObjectKind kind, std::span<const DefinedProvider> providers,
                               std::span<const ObjectProbes> objects);

}  // namespace dscope
