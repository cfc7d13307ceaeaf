// Names of functions as users write them in probe descriptions.
#pragma once

#include <string>
#include <string_view>

namespace dscope {

// The demangled name of a C++ or Rust function without the arguments of templates and generic types:
//   shop::twice<int>                              shop::twice
//   core::ptr::drop_in_place::<shop::Cart>        core::ptr::drop_in_place
//   <alloc::vec::Vec<i32>>::push                  alloc::vec::Vec::push
//   <shop::Cart as core::fmt::Display>::fmt       shop::Cart::fmt
// Operators and names whose brackets do not match are returned unchanged.
std::string without_generic_arguments(std::string_view name);

}  // namespace dscope
