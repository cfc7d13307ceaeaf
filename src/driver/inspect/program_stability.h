// The reports of -v: the stability of the names that a program uses (d-language.md 11.1, consumer-and-actions.md 9.3).
#pragma once

#include <string>
#include <vector>

#include "contract/host.h"
#include "driver/compile/compilation.h"

namespace dscope {

// Returns one report per program of the user, in their order. with_descriptions (-ev): adds each probe description with
// its first probe's attributes.
std::vector<std::string> stability_reports(const Compilation& compilation, Host& host, bool with_descriptions);

}  // namespace dscope
