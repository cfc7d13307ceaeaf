// The provider of static probes (USDT).
#pragma once

#include <memory>

#include "contract/process_tools.h"
#include "runtime/providers/provider.h"

namespace dscope {

std::unique_ptr<Provider> make_usdt_provider(ProcessRows rows, ProcessTypes& process_types, const ProcessTools& tools);

}  // namespace dscope
