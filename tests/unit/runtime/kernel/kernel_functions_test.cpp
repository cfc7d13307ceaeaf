// Lists kernel functions and determines which are traceable, from generated BTF blobs and files.
#include "runtime/kernel/kernel_functions.h"
#include "runtime/kernel/kernel_addresses.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "runtime/kernel/btf_types.h"
#include "runtime/providers/probe_table.h"
#include "tests/unit/runtime/kernel/btf_blob.h"

namespace dscope {
namespace {

class Functions : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = testing::TempDir() + "/dscope_functions_" + std::to_string(::getpid());
    std::filesystem::create_directories(directory_ + "/btf");
    write_kernel();
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void write(const std::string& name, const BtfBlob& blob) {
    std::vector<std::byte> bytes = blob.bytes();
    std::ofstream file{directory_ + "/btf/" + name, std::ios::binary};
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

  // int vfs_read(int, struct wide), void vfs_fsync(void), char odd(const char*, ...), and functions that must not be
  // traced.
  void write_kernel() {
    BtfBlob& blob = kernel_;
    uint32_t number = blob.add(BTF_KIND_INT, "int", 4, {BTF_INT_SIGNED << 24 | 32});
    uint32_t letter = blob.add(BTF_KIND_INT, "char", 1, {8});
    uint32_t wide = blob.add(BTF_KIND_STRUCT, "wide", 16, {blob.name("a"), number, 0}, 1);
    uint32_t alias = blob.add(BTF_KIND_TYPEDEF, "number_t", number);
    uint32_t reads = blob.add(BTF_KIND_FUNC_PROTO, "", alias, {blob.name("fd"), number, blob.name("w"), wide}, 2);
    uint32_t nothing = blob.add(BTF_KIND_FUNC_PROTO, "", 0);
    uint32_t variadic = blob.add(BTF_KIND_FUNC_PROTO, "", letter, {blob.name("text"), letter, 0, 0}, 2);
    blob.add(BTF_KIND_FUNC, "vfs_read", reads);
    blob.add(BTF_KIND_FUNC, "odd", variadic);
    blob.add(BTF_KIND_FUNC, "vfs_fsync", nothing);
    blob.add(BTF_KIND_FUNC, "vfs_read", reads);
    blob.add(BTF_KIND_FUNC, "inlined", nothing);
    for (const char* name : {"bpf_get_stack", "rcu_read_unlock", "__probestub_x", "vfs_read.part.0", "_raw_spin_lock"})
      blob.add(BTF_KIND_FUNC, name, nothing);
    write("vmlinux", blob);
    BtfBlob module{&blob};
    module.add(BTF_KIND_FUNC, "ext4_sync", nothing);
    write("ext4", module);
  }

  std::string file(const std::string& name, const std::string& text) {
    std::string path = directory_ + "/" + name;
    std::ofstream{path} << text;
    return path;
  }

  FunctionFiles traceable(const std::string& names) { return {.symbols = "", .traceable = file("traceable", names)}; }

  static std::vector<std::string> names(const std::vector<const Probe*>& probes) {
    std::vector<std::string> result;
    for (const Probe* probe : probes)
      result.push_back(probe->provider + ":" + probe->module + ":" + probe->function + ":" + probe->name);
    return result;
  }

  std::string directory_;
  BtfBlob kernel_;
};

TEST_F(Functions, AreSortedAndUniqueWithoutDeniedFunctions) {
  KernelTypes types{directory_ + "/btf"};
  KernelFunctions functions{types};
  std::vector<std::string> found;
  for (const KernelFunctions::Function& function : functions.functions())
    found.push_back(std::string{functions.module_name(function.module)} + ":" + std::string{function.name});
  EXPECT_EQ(found, (std::vector<std::string>{"vmlinux:inlined", "vmlinux:odd", "vmlinux:vfs_fsync", "vmlinux:vfs_read",
                                             "ext4:ext4_sync"}));
}

TEST_F(Functions, ProbesExistForTraceableFunctionsOnly) {
  KernelTypes types{directory_ + "/btf"};
  KernelFunctions functions{types, traceable("vfs_read\nodd\nvfs_read.part.0\n__ftrace_invalid_address___5\n"
                                             "ext4_sync [ext4]\nvfs_fsync [ext4]\n")};
  std::vector<std::unique_ptr<Provider>> providers;
  providers.push_back(make_fbt_provider(functions, types));
  providers.push_back(make_rawfbt_provider(functions));
  KernelAddresses addresses{directory_ + "/none"};
  providers.push_back(make_kinst_provider(functions, addresses));
  ProbeTable table{std::move(providers)};
  EXPECT_EQ(
      names(table.match({.name = "entry"})),
      (std::vector<std::string>{"fbt:vmlinux:odd:entry", "fbt:vmlinux:vfs_read:entry", "fbt:ext4:ext4_sync:entry"}));
  EXPECT_EQ(names(table.match({.provider = "fbt", .module = "ext4"})),
            (std::vector<std::string>{"fbt:ext4:ext4_sync:entry", "fbt:ext4:ext4_sync:return"}));
  EXPECT_EQ(names(table.match({.provider = "rawfbt", .function = "vfs_read*", .name = "return"})),
            (std::vector<std::string>{"rawfbt:vmlinux:vfs_read:return", "rawfbt:vmlinux:vfs_read.part.0:return"}));
  EXPECT_EQ(names(table.match({.provider = "kinst", .function = "odd", .name = "1f"})),
            (std::vector<std::string>{"kinst:vmlinux:odd:1f"}));
  EXPECT_TRUE(table.match({.provider = "kinst", .function = "odd", .name = "entry"}).empty());
  EXPECT_TRUE(table.match({.provider = "fbt", .function = "inlined"}).empty());
}

// A module loaded during tracing adds probes after those that already have ids.
TEST_F(Functions, LaterModulesAddFunctions) {
  KernelTypes types{directory_ + "/btf"};
  KernelFunctions functions{types, traceable("vfs_read\next4_sync [ext4]\n")};
  std::vector<std::unique_ptr<Provider>> providers;
  providers.push_back(make_fbt_provider(functions, types));
  providers.push_back(make_rawfbt_provider(functions));
  ProbeTable table{std::move(providers)};
  ProbeDescription of_module{.provider = "fbt", .module = "loop"}, symbol{.provider = "rawfbt", .module = "loop"};
  EXPECT_TRUE(table.match(of_module).empty());
  EXPECT_TRUE(table.match(symbol).empty());
  BtfBlob module{&kernel_};
  uint32_t nothing = module.add(BTF_KIND_FUNC_PROTO, "", 0);
  module.add(BTF_KIND_FUNC, "lo_ioctl", nothing);
  module.add(BTF_KIND_FUNC, "inlined", nothing);
  write("loop", module);
  traceable("vfs_read\next4_sync [ext4]\nlo_ioctl [loop]\n");
  for (int times = 0; times < 2; ++times) {  // unloading and loading it again adds nothing
    types.loaded("loop");
    functions.loaded("loop");
    EXPECT_EQ(names(table.match(of_module)),
              (std::vector<std::string>{"fbt:loop:lo_ioctl:entry", "fbt:loop:lo_ioctl:return"}));
    EXPECT_EQ(names(table.match(symbol)),
              (std::vector<std::string>{"rawfbt:loop:lo_ioctl:entry", "rawfbt:loop:lo_ioctl:return"}));
    EXPECT_EQ(table.match(of_module).at(0)->id, ProbeTable::first_created_id);
    EXPECT_EQ(names(table.match({.provider = "fbt", .name = "entry"})).size(), 3U);
  }
}

TEST_F(Functions, DescriptionsOfUnloadedModulesMatchLater) {
  KernelTypes types{directory_ + "/btf"};
  KernelFunctions functions{types, traceable("vfs_read\n")};
  std::vector<std::unique_ptr<Provider>> providers;
  providers.push_back(make_fbt_provider(functions, types));
  ProbeTable table{std::move(providers), {.has_modules = true}};
  bool can_trace = functions.mechanisms().has_any();
  ProbeDescription description{.provider = "fbt", .module = "loop", .function = "lo_*"};
  EXPECT_EQ(table.may_match_later_modules(description), can_trace);
  EXPECT_EQ(table.match(description).size(), can_trace ? 1U : 0U);
  EXPECT_FALSE(table.may_match_later_modules({.provider = "fbt", .module = "vmlinux"}));
  EXPECT_FALSE(table.may_match_later_modules({.function = "lo_ioctl"}));
}

TEST_F(Functions, KallsymsReplacesAnUnreadableTracefs) {
  KernelTypes types{directory_ + "/btf"};
  std::string symbols =
      file("symbols",
           "ffffffff81000000 T vfs_read\nffffffff81000010 D odd\nffffffffc0000000 t ext4_sync\t[ext4]\n"
           "ffffffffc0001000 t bpf_prog_1\t[bpf]\n");
  KernelFunctions functions{types, {.symbols = symbols, .traceable = directory_ + "/absent"}};
  std::vector<std::string> found;
  for (const KernelFunctions::Symbol& symbol : functions.symbols())
    found.push_back(std::string{symbol.module} + ":" + std::string{symbol.name});
  EXPECT_EQ(found, (std::vector<std::string>{"vmlinux:vfs_read", "ext4:ext4_sync"}));
}

TEST_F(Functions, ArgumentsAreTypedAndResultsAreSized) {
  KernelTypes types{directory_ + "/btf"};
  KernelFunctions functions{types, traceable("vfs_read\nodd\nvfs_fsync\n")};
  std::vector<std::unique_ptr<Provider>> providers;
  providers.push_back(make_fbt_provider(functions, types));
  ProbeTable table{std::move(providers)};
  TypeTable own;
  auto load = [&](const char* function, const char* name) -> const Probe& {
    const Probe& probe = *table.match({.function = function, .name = name}).at(0);
    table.load_args(probe, own);
    return probe;
  };
  const Probe& entry = load("vfs_read", "entry");
  ASSERT_EQ(entry.args.size(), 2U);
  EXPECT_EQ(entry.args[0].name, "fd");
  EXPECT_EQ(entry.args[0].source, (ArgSource{.kind = ArgSourceKind::FunctionArg, .size = 4, .is_signed = true}));
  EXPECT_EQ(entry.args[1].type_text, "struct wide");
  EXPECT_EQ(entry.raw_args.size(), 10U);
  const Probe& exit = load("vfs_read", "return");
  ASSERT_EQ(exit.args.size(), 2U);
  EXPECT_EQ(exit.args[0].type_text, "uint64_t");
  EXPECT_EQ(exit.args[1].type_text, "number_t");
  EXPECT_EQ(exit.raw_args.at(1), (ArgSource{.kind = ArgSourceKind::FunctionResult, .size = 4, .is_signed = true}));
  EXPECT_EQ(load("vfs_fsync", "return").args.size(), 1U);
  EXPECT_TRUE(std::get<HookFunction>(entry.hook).supports_trampoline);
  EXPECT_FALSE(std::get<HookFunction>(load("odd", "entry").hook).supports_trampoline);
}

}  // namespace
}  // namespace dscope
