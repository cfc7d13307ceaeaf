// Demangled names of C++ and Rust, as in source code.
#include "codegen/core/demangle.h"

#include <gtest/gtest.h>

namespace dscope::test {
namespace {

TEST(Demangle, OmitsParametersOfCxx) {
  EXPECT_EQ(demangle("_ZN4shop4CartIiE3addERKSt6vectorISsSaISsEEi"), "shop::Cart<int>::add");
  EXPECT_EQ(demangle("_Z3fooii"), "foo");
  EXPECT_EQ(demangle("_ZN3FooD1Ev"), "Foo::~Foo");
  EXPECT_EQ(demangle("_ZplRK1AS1_"), "operator+");
  EXPECT_EQ(demangle("_ZN12_GLOBAL__N_14workEv"), "(anonymous namespace)::work");
  EXPECT_EQ(demangle("_ZZ4mainENKUlvE_clEv"), "main::'lambda'()::operator()");
}

TEST(Demangle, OmitsHashOfBothRustSchemes) {
  EXPECT_EQ(demangle("_ZN3std2rt10lang_start17h0123456789abcdefE"), "std::rt::lang_start");
  EXPECT_EQ(demangle("_ZN56_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..Clone$GT$5clone17h0123456789abcdefE"),
            "<alloc::vec::Vec<T> as core::Clone>::clone");
  EXPECT_EQ(demangle("_RNvCs1234_7mycrate3foo"), "mycrate::foo");
}

TEST(Demangle, KeepsOtherNames) {
  EXPECT_EQ(demangle("main"), "main");
  EXPECT_EQ(demangle("_start"), "_start");
  EXPECT_EQ(demangle("_Zwhatever"), "_Zwhatever");
  EXPECT_EQ(demangle("_R"), "_R");
  EXPECT_EQ(demangle("_Z"), "_Z");
  EXPECT_EQ(demangle(""), "");
}

}  // namespace
}  // namespace dscope::test
