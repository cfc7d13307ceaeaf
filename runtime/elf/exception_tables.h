// Whether code of a file is unwound: by exceptions, by the end of a thread, by a language that looks at its own stacks.
#pragma once

namespace dscope {

// By the tables that this needs: those of C++, Rust and C with cleanups, those of Go.
bool has_exception_tables(int fd);

}  // namespace dscope
