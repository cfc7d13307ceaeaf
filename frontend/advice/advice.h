// Advice below a diagnostic: the D spelling of constructs that users of other tracers, or of C, are used to. Works on
// the text alone, after compilation failed. The driver calls it when it shows diagnostics in full.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.h"

namespace dscope {

// Hints for the error in `diagnostics`, most helpful first, including the hint that the error came with. May be empty.
// solaris: the text of the D library for option compat=solaris; empty if the option is on or the library is missing.
std::vector<std::string> advice(const Diagnostics& diagnostics, std::string_view solaris = {});

// The D spelling (`fbt::vfs_read:entry`) of a bpftrace probe (`kprobe:vfs_read`); empty if `word` is not such a probe.
std::string d_probe_name(std::string_view word);

}  // namespace dscope
