#include "runtime/aggregations/key_index.h"

#include <gtest/gtest.h>

#include <string>

namespace dscope {
namespace {

class KeyIndexTest : public ::testing::Test {
 protected:
  // The number of the key; appends the key if it is new.
  size_t number_of(const std::string& key) {
    size_t number = index_.find_or_insert(key, keys_.size(), [this](size_t at) { return std::string_view{keys_[at]}; });
    if (number == keys_.size()) keys_.push_back(key);
    return number;
  }

  KeyIndex index_;
  std::vector<std::string> keys_;
};

TEST_F(KeyIndexTest, NumbersKeysInTheOrderOfTheirInsertion) {
  EXPECT_EQ(number_of("a"), 0);
  EXPECT_EQ(number_of(""), 1);
  EXPECT_EQ(number_of(std::string(1, '\0')), 2);
  EXPECT_EQ(number_of("a"), 0);
  EXPECT_EQ(number_of(""), 1);
}

TEST_F(KeyIndexTest, FindsAllKeysWhileItGrows) {
  for (size_t i = 0; i < 10'000; ++i) ASSERT_EQ(number_of(std::to_string(i)), i);
  for (size_t i = 0; i < 10'000; ++i) ASSERT_EQ(number_of(std::to_string(i)), i);
}

TEST_F(KeyIndexTest, KeepsItsKeysWhenRoomIsMade) {
  for (size_t i = 0; i < 20; ++i) number_of(std::to_string(i));
  index_.reserve(5'000);
  for (size_t i = 0; i < 6'000; ++i) ASSERT_EQ(number_of(std::to_string(i)), i);
}

}  // namespace
}  // namespace dscope
