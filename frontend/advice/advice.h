// Advice below a diagnostic: what people who know another tracer, or C, have to write in D instead. Works on the text
// alone, after the compilation failed; called by the driver when diagnostics are shown in full.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.h"

namespace dscope {

// Hints for the error that `diagnostics` keeps, most helpful first, the one it came with among them. Empty if there is
// nothing to say. `solaris`: the text of the D library with what option compat=solaris adds; empty: the option is on,
// or the library is not there.
std::vector<std::string> advice(const Diagnostics& diagnostics, std::string_view solaris = {});

// A probe as bpftrace spells it (`kprobe:vfs_read`) in the spelling of D (`fbt::vfs_read:entry`); empty if `word` is
// nothing of that kind.
std::string d_probe_name(std::string_view word);

}  // namespace dscope
