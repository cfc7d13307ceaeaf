// Parses /proc/modules and watches for new modules.
#include "runtime/session/module_watch.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

TEST(ModuleList, ContainsReadyModules) {
  ModuleList list = read_module_list(
      "loop 40960 1 - Live 0xffffffffc0000000\nnew 16384 1 loop,dm_mod, Loading 0x0 (+)\n"
      "old 1 0 - Unloading 0x0 (-)\n\nzram 4 0 - Live 0x0 (OE)");
  EXPECT_EQ(list.ready, (std::set<std::string>{"loop", "zram"}));
  EXPECT_TRUE(list.has_loading);
  EXPECT_FALSE(read_module_list("loop 40960 1 - Live 0x0\n").has_loading);
}

TEST(ModuleWatch, IgnoresModulesLoadedBefore) { EXPECT_TRUE(ModuleWatch{}.loaded_modules().empty()); }

}  // namespace
}  // namespace dscope
