#include "runtime/providers/process/function_names.h"

#include <gtest/gtest.h>

namespace dscope::test {
namespace {

TEST(FunctionNames, WithoutGenericArguments) {
  for (auto [name, wanted] : {std::pair{"main", "main"},
                              {"shop::twice<int>", "shop::twice"},
                              {"shop::Map<int, shop::List<int> >::add", "shop::Map::add"},
                              {"core::ptr::drop_in_place::<shop::Cart>", "core::ptr::drop_in_place"},
                              {"core::ptr::drop_in_place<shop::Cart>", "core::ptr::drop_in_place"},
                              {"<alloc::vec::Vec<i32>>::push", "alloc::vec::Vec::push"},
                              {"<shop::Cart as core::fmt::Display>::fmt", "shop::Cart::fmt"},
                              {"<shop::Cart<T> as core::iter::Map<I>>::next", "shop::Cart::next"},
                              {"<alloc::boxed::Box<dyn Fn(i32) -> i32> as shop::Call>::call::{closure#0}",
                               "alloc::boxed::Box::call::{closure#0}"},
                              {"std::operator<<", "std::operator<<"},
                              {"shop::operator< <int>", "shop::operator< <int>"},
                              {"broken<", "broken<"},
                              {"<>", ""},
                              {"", ""}})
    EXPECT_EQ(without_generic_arguments(name), wanted);
}

TEST(FunctionNames, PathsOfTheSource) {
  for (auto [name, wanted] : {std::pair{"main", "main"},
                              {"<alloc::vec::Vec<i32>>::push", "alloc::vec::Vec<i32>::push"},
                              {"alloc::vec::Vec<T,A>::push", "alloc::vec::Vec<T,A>::push"},
                              {"core::ptr::drop_in_place::<shop::Cart>", "core::ptr::drop_in_place<shop::Cart>"},
                              {"<shop::Cart<u8> as core::fmt::Display>::fmt", "shop::Cart<u8>::fmt"},
                              {"<shop::Map<i32, u8>>::add::<u8>", "shop::Map<i32,u8>::add<u8>"},
                              {"<broken", "<broken"},
                              {"<>", ""}})
    EXPECT_EQ(source_path(name), wanted);
}

TEST(FunctionNames, ParametersStandForAnyArguments) {
  for (const char* pattern : {"alloc::vec::Vec<T>::push", "std::HashMap<K, V>::get<Q>", "Vec<_>::*", "Vec<T,A>"})
    EXPECT_TRUE(has_only_parameters(pattern)) << pattern;
  for (const char* pattern :
       {"alloc::vec::Vec<u32>::push", "Vec<T>::from<u8>", "main", "Vec<*>::push", "Vec<", "Vec<>", "operator<<"})
    EXPECT_FALSE(has_only_parameters(pattern)) << pattern;
}

}  // namespace
}  // namespace dscope::test
