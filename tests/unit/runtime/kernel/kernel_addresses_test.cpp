// Finds addresses of kernel symbols in a file like /proc/kallsyms and by queries to the kernel.
#include "runtime/kernel/kernel_addresses.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dscope {
namespace {

class KernelAddressesTest : public testing::Test {
 protected:
  KernelAddressesTest() {
    std::ofstream(path) << "ffffffff81000000 T _text\n"
                           "ffffffff81000010 T vfs_read\n"
                           "ffffffffc0000000 t vfs_reader\t[nfs]\n"
                           "ffffffffc0000010 t own\t[ext4]\n"
                           "ffffffffc0000020 t own\t[nfs]\n"
                           "damaged\n\n";
  }

  ~KernelAddressesTest() override { std::filesystem::remove(path); }

  std::string path = testing::TempDir() + "kernel_addresses_" + std::to_string(::getpid());
  KernelAddresses addresses{path};
};

TEST_F(KernelAddressesTest, FindsByNameAndModule) {
  auto address = [&](std::string_view module, std::string_view name) {
    auto found = addresses.find(module, name);
    return found ? found->address : 0;
  };
  EXPECT_EQ(address("", "vfs_read"), 0xffffffff81000010);
  EXPECT_EQ(address("vmlinux", "_text"), 0xffffffff81000000);
  EXPECT_EQ(address("nfs", "own"), 0xffffffffc0000020);
  EXPECT_EQ(addresses.find("nfs", "own")->module, "nfs");
  EXPECT_EQ(address("vmlinux", "own"), 0U);
  EXPECT_EQ(address("", "vfs"), 0U);
}

TEST_F(KernelAddressesTest, FunctionsEndWhereTheNextSymbolBegins) {
  EXPECT_EQ(addresses.size_of("_text"), 0x10U);
  EXPECT_EQ(addresses.size_of("own"), 0x10U);
  EXPECT_FALSE(addresses.size_of("absent"));
  std::ofstream(path) << "ffffffff81000010 T last\n";
  EXPECT_FALSE(KernelAddresses{path}.size_of("last"));
}

// The file is read only if the kernel does not answer the query.
TEST_F(KernelAddressesTest, QueriesTheKernelFirst) {
  std::map<std::string, uint64_t, std::less<>> symbols{{"_stext", 0xffffffff81000000},
                                                       {"_end", 0xffffffff82000000},
                                                       {"vfs_read", 0xffffffff81000077},
                                                       {"own", 0xffffffffc0000099}};
  std::vector<std::string> asked;
  KernelAddresses quick{path, [&](std::string_view name) -> std::optional<uint64_t> {
                          asked.emplace_back(name);
                          if (name == "vfs_reader") return std::nullopt;
                          auto found = symbols.find(name);
                          return found != symbols.end() ? found->second : 0;
                        }};
  EXPECT_EQ(quick.find("", "vfs_read")->address, 0xffffffff81000077);
  EXPECT_EQ(quick.find("vmlinux", "vfs_read")->module, "");
  EXPECT_FALSE(quick.find("", "_text")) << "the kernel's answer is final";
  EXPECT_EQ(asked, (std::vector<std::string>{"vfs_read", "_stext", "_end", "vfs_read", "_text"}));
  EXPECT_EQ(quick.find("", "own")->address, 0xffffffffc0000010) << "a module's symbol: the file names the module";
  KernelAddresses other{path, [](std::string_view) { return std::nullopt; }};
  EXPECT_EQ(other.find("", "vfs_read")->address, 0xffffffff81000010);
}

TEST_F(KernelAddressesTest, SuggestsSimilarNames) {
  EXPECT_EQ(addresses.nearest("vfs_raed"), "vfs_read");
  EXPECT_EQ(addresses.nearest("vfs_raeder"), "vfs_reader");
  EXPECT_EQ(addresses.nearest("nothing_like_it"), "");
  EXPECT_EQ(KernelAddresses("/nosuch/file").nearest("vfs_read"), "");
}

}  // namespace
}  // namespace dscope
