// Names of global functions, which list their parameters.
#include "contract/global_function.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

TEST(GlobalFunction, NameListsParameters) {
  const GlobalParameters parameters{264, 16, 0};
  std::string name = global_function_name("index_3", parameters);
  EXPECT_EQ(name, "ds_global_index_3.264.16.0");
  EXPECT_EQ(global_parameters(name), parameters);
}

TEST(GlobalFunction, HasTwoNumbersWithoutList) {
  EXPECT_EQ(global_parameters("ds_global_user_byte"), (GlobalParameters{0, 0}));
}

TEST(GlobalFunction, OtherNamesHaveNoParameters) {
  EXPECT_EQ(global_parameters("ds_strcpy.16"), std::nullopt);
  EXPECT_EQ(global_parameters(""), std::nullopt);
}

// Names come from bundles, too.
TEST(GlobalFunction, RejectsDamagedLists) {
  for (const char* name : {"ds_global_a.", "ds_global_a.1.", "ds_global_a.x", "ds_global_a.-1", "ds_global_a.1x",
                           "ds_global_a.4294967296", "ds_global_a.1.2.3.4.5.6"})
    EXPECT_EQ(global_parameters(name), std::nullopt) << name;
}

}  // namespace
}  // namespace dscope
