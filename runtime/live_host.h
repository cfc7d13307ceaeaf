// LiveHost: the Host that answers for this machine. Making it costs nothing; each answer reads what it needs.
#pragma once

#include <memory>

#include "contract/host.h"

namespace dscope {

// What a description of the probes of many processes (python*:::) matches: to trace them, one probe for all processes,
// those to come included; to list them, one for each process there is.
enum class ProcessRows : uint8_t { OneForAll, Each };

std::unique_ptr<Host> make_live_host(ProcessTools tools = {}, ProcessRows rows = ProcessRows::OneForAll);

}  // namespace dscope
