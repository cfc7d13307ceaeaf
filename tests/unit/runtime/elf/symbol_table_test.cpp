// The choice among several symbols that cover one address.
#include "runtime/elf/symbol_table.h"

#include <gtest/gtest.h>

namespace dscope::test {
namespace {

TEST(SymbolTable, PrefersReadableNamesAndInnermostSymbols) {
  SymbolTable table;
  table.add(0x100, 0x100, 0, "outer");
  table.add(0x120, 0x10, 0, "inner");
  table.add(0x100, 0x100, 0, "__outer");
  table.add(0x100, 0x100, 1, "alias");
  table.add(0x140, 0, 4, "mark_in_outer");
  table.add(0x300, 0, 0, "open_end");
  table.finish();
  auto name = [&](uint64_t address) {
    auto found = table.find(address);
    return found ? std::string{found->name} : "none";
  };
  EXPECT_EQ(name(0x50), "none");
  EXPECT_EQ(name(0x100), "outer");
  EXPECT_EQ(name(0x125), "inner");
  EXPECT_EQ(name(0x1ff), "outer");
  EXPECT_EQ(name(0x140), "outer");
  EXPECT_EQ(name(0x200), "none");
  EXPECT_EQ(name(0x12345), "open_end");
}

}  // namespace
}  // namespace dscope::test
