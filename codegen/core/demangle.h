// Demangles C++ and Rust names. Part of codegen because it uses LLVM's demangler.
#pragma once

#include <string>
#include <string_view>

namespace dscope {

// Returns the name without its parameters, which would fill lines: "shop::Cart<int>::add" for "_ZN4shop4CartIiE3addEi".
// Removes the hash from Rust names of both schemes. Returns any other name unchanged, and names that would expand to
// more than 16 KiB, or take more than half a second.
std::string demangle(std::string_view name);
// True if demangling the name takes little time and memory: it is short, and has few letters that can begin a reference
// to an earlier part of itself. Other names are demangled in a child process (docs/decisions/0029).
bool is_harmless(std::string_view name);
// Returns the name with its parameters and, for templates, its return type: "shop::Cart<int>::add(int)".
std::string demangle_with_parameters(std::string_view name);

}  // namespace dscope
