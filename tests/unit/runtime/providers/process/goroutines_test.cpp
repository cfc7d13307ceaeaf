#include "runtime/providers/process/goroutines.h"

#include <gtest/gtest.h>

#include "arch/architecture.h"

namespace dscope {
namespace {

TEST(Goroutines, PlacesAreKnownByTheVersionOfTheCompiler) {
  EXPECT_EQ(goid_offset("go1.18"), 152U);
  EXPECT_EQ(goid_offset("go1.19.8"), 152U);
  EXPECT_EQ(goid_offset("go1.23rc1"), 160U);
  for (const char* version : {"", "go1.17.1", "go1.99", "go2.20", "go1.", "devel go1.20", "1.20"})
    EXPECT_FALSE(goid_offset(version)) << version;
}

TEST(Goroutines, AssemblerAndCHaveNone) {
  EXPECT_TRUE(has_go_convention("main.main"));
  EXPECT_FALSE(has_go_convention("runtime.memmove.abi0"));
  EXPECT_FALSE(has_go_convention("malloc"));
}

TEST(Goroutines, NumberIsBehindTheRegister) {
  VariablePlace place = goid_place(152);
  ASSERT_TRUE(place.is_memory());
  EXPECT_EQ(place.parts[0].steps.at(0).operation, LocationOperation::Register);
  EXPECT_EQ(place.parts[0].steps.at(1).number, 152);
  bool is_x86_64 = &native_architecture() == &x86_64;
  EXPECT_TRUE(!is_x86_64 || place.parts[0].steps[0].number == 8) << "r14 in struct pt_regs";
}

}  // namespace
}  // namespace dscope
