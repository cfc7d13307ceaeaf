// Hints below a diagnostic: the D spelling of constructs that users know from other tracers or from C. Works on the
// text alone, after compilation failed. The driver calls it when it shows diagnostics in full.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.h"

namespace dscope {

// Returns the hints for the error in `diagnostics`, most helpful first, including the error's own hint. May be empty.
// solaris: the text of the D library for option compat=solaris; empty if the option is on or the library is missing.
std::vector<std::string> advice(const Diagnostics& diagnostics, std::string_view solaris = {});

// Returns the D spelling (`fbt::vfs_read:entry`) of a bpftrace probe (`kprobe:vfs_read`); empty if `word` is not such a
// probe.
std::string d_probe_name(std::string_view word);

}  // namespace dscope
