// Names of C++ and Rust as their programmers wrote them. Here because LLVM can do it.
#pragma once

#include <string>
#include <string_view>

namespace dscope {

// The name without parameters, which would fill lines: "shop::Cart<int>::add" for "_ZN4shop4CartIiE3addEi". Rust's of
// both schemes lose their hash. Every other name comes back as it is.
std::string demangle(std::string_view name);
// With parameters, and what a template returns: "shop::Cart<int>::add(int)".
std::string demangle_with_parameters(std::string_view name);

}  // namespace dscope
