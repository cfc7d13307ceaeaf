// Demangled names of C++ and Rust, as in source code.
#include "codegen/core/demangle.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include "codegen/core/demangle_child.h"

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
  EXPECT_EQ(demangle("_RNvCs1234_7mycrate3foo.llvm.17321650172939032598"), "mycrate::foo");
  EXPECT_EQ(demangle("_ZN3std2rt10lang_start17h0123456789abcdefE.llvm.8113091291293138400"), "std::rt::lang_start");
}

TEST(Demangle, KeepsOtherNames) {
  EXPECT_EQ(demangle("main"), "main");
  EXPECT_EQ(demangle("_start"), "_start");
  EXPECT_EQ(demangle("_Zwhatever"), "_Zwhatever");
  EXPECT_EQ(demangle("_R"), "_R");
  EXPECT_EQ(demangle("_Z"), "_Z");
  EXPECT_EQ(demangle(""), "");
}

// "S_", "S0_", "S1_", ... "SZ_", "S10_"
std::string reference(size_t index) {
  const std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (index == 0) return "S_";
  std::string text;
  for (size_t rest = index - 1; text.empty() || rest != 0; rest /= digits.size())
    text.insert(text.begin(), digits[rest % digits.size()]);
  return "S" + text + "_";
}

// A type whose text doubles with each of the steps, as an argument of f().
std::string doubling_name(size_t steps) {
  std::string name = "_Z1fI1A1PIS0_S0_E";
  for (size_t i = 1; i < steps; ++i) name += "S1_I" + reference(i + 2) + reference(i + 2) + "E";
  return name + "Evv";
}

TEST(Demangle, LongNamesAndNamesWithManyReferencesMayHarm) {
  EXPECT_TRUE(is_harmless("_Z3foo" + std::string(16, 'S')));
  EXPECT_FALSE(is_harmless("_Z3foo" + std::string(16, 'S') + "T"));
  EXPECT_TRUE(is_harmless("_R" + std::string(100, 'S')));
  EXPECT_FALSE(is_harmless("_R" + std::string(17, 'B')));
  EXPECT_TRUE(is_harmless("_Z" + std::string(2046, 'i')));
  EXPECT_FALSE(is_harmless("_Z" + std::string(2047, 'i')));
}

TEST(Demangle, NamesThatExpandAreDemangledWithinLimits) {
  std::string text = demangle(doubling_name(10));
  EXPECT_TRUE(text.starts_with("f<A, P<A, A>, P<P<A, A>, P<A, A>>")) << text.substr(0, 100);
  EXPECT_GT(text.size(), 5000U);
  for (size_t steps : {20, 40}) EXPECT_EQ(demangle(doubling_name(steps)), doubling_name(steps));
  EXPECT_EQ(demangle("_Z3fooii"), "foo");
}

TEST(Demangle, DeepNamesStayMangled) {
  for (const std::string& name :
       {"_Z1fI" + std::string(200'000, 'P') + "iEvv", "_Z1fI" + std::string(30'000, 'P') + "iEvv",
        "_RIC1a" + std::string(100'000, 'P') + "uE"})
    EXPECT_TRUE(demangle(name) == name) << name.substr(0, 20);
}

TEST(DemangleChild, GivesUpAfterFailures) {
  DemangleChild child{[](std::string_view name, bool) {
    while (name == "hang") ::pause();
    if (name == "die") std::abort();
    return "<" + std::string{name} + ">";
  }};
  EXPECT_EQ(child.run("a", false), "<a>");
  EXPECT_EQ(child.run("hang", false), std::nullopt);
  EXPECT_EQ(child.run("b", false), "<b>");
  for (int i = 1; i < DemangleChild::max_failures; ++i) EXPECT_EQ(child.run("die", false), std::nullopt);
  EXPECT_EQ(child.run("c", false), std::nullopt);
}

}  // namespace
}  // namespace dscope::test
