// Brings the constants and code of a process into its memory. Programs read user memory without waiting for it, so that
// copyinstr() of a string literal that the process itself has not read yet would be a fault.
#pragma once

#include <cstdint>

namespace dscope {

// Looks at all pages of its program and libraries, up to a limit. Changes nothing that the process could see; a process
// that is gone is none to be looked at.
void touch_objects(uint32_t pid);

}  // namespace dscope
