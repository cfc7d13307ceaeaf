// Functions of the same name, as static functions of several source files or several versions of a symbol.
#pragma once

#include <vector>

#include "contract/probe.h"

namespace dscope {

// Merges probes of the same name into one probe with several sites.
void merge_same_names(std::vector<Probe>& probes);

}  // namespace dscope
