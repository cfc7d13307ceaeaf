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

// The demangled name of a Rust function as its source spells the path, without blanks, for comparison with a pattern:
//   <alloc::vec::Vec<i32>>::push                  alloc::vec::Vec<i32>::push
//   core::ptr::drop_in_place::<shop::Cart>        core::ptr::drop_in_place<shop::Cart>
//   <shop::Cart<u8> as core::fmt::Display>::fmt   shop::Cart<u8>::fmt
std::string source_path(std::string_view name);

// Whether all generic arguments in a pattern are parameters, as in alloc::vec::Vec<T>::push: capital letters, perhaps
// with a digit, or _. False without arguments.
bool has_only_parameters(std::string_view pattern);

}  // namespace dscope
