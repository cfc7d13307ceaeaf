// The file of a command, and why it does not run.
#pragma once

#include <string>

#include "support/result.h"

namespace dscope {

// Searches PATH as execvp(3) does; empty if there is no file that this user may execute.
std::string file_of_command(const std::string& command);

// Whether the file is an ELF file. The kernel alone decides whether it runs: execvp(3) would hand it to a shell.
bool is_elf_file(const std::string& path);

// `error_number`: of execve(2).
Error cannot_execute(const std::string& command, int error_number);

}  // namespace dscope
