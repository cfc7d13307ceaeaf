// LiveHost: the Host that answers for this machine. Making it costs nothing; each answer reads what it needs.
#pragma once

#include <memory>

#include "contract/host.h"

namespace dscope {

std::unique_ptr<Host> make_live_host(ProcessTools tools = {});

}  // namespace dscope
