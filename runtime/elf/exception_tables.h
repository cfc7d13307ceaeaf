// Whether a program unwinds its own stacks: for exceptions, for thread cancellation, or in its language's runtime.
#pragma once

namespace dscope {

// True if the ELF file has .gcc_except_table (C++, Rust, C with cleanups) or Go's .gopclntab.
bool has_exception_tables(int fd);

}  // namespace dscope
