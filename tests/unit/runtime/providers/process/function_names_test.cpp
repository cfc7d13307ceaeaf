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

}  // namespace
}  // namespace dscope::test
