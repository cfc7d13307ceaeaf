#include "contract/probe.h"

#include "support/format.h"

namespace dscope {

std::string to_string(const ProbeDescription& description) {
  return fmt::format("{}:{}:{}:{}", description.provider, description.module, description.function, description.name);
}

}  // namespace dscope
