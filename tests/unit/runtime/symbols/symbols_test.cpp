// Kernel symbols, perf maps, and the LiveSymbolizer on this test's own process.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "runtime/symbols/live_symbolizer.h"
#include "runtime/symbols/perf_map.h"
#include "tests/unit/runtime/output/output_fixture.h"

extern "C" __attribute__((noinline, used)) int symbols_test_landmark(int value) { return value + 1; }

namespace dscope::test {
namespace {

TEST(KernelSymbols, ParsesModulesAndAliases) {
  KernelSymbols symbols = KernelSymbols::parse(
      "0000000000000000 A fixed_percpu_data\n"
      "ffffffff81000000 T _text\n"
      "ffffffff81000000 T startup\n"
      "ffffffff81000100 t local\n"
      "ffffffff81000100 W weak_alias\n"
      "ffffffffc0100000 t ext4_b\t[ext4]\n"
      "ffffffffc00ff000 t ext4_a\t[ext4]\n"
      "ffffffffc0200000 t bpf_prog_1_x\t[bpf]\n");
  auto text = [&](uint64_t address) {
    auto found = symbols.find(address);
    return found
               ? fmt::format("{}`{}+{:x} {:x}", found->module, found->name, address - found->start, found->module_start)
               : "none";
  };
  EXPECT_EQ(text(0xffffffff81000010), "vmlinux`startup+10 ffffffff81000000");
  EXPECT_EQ(text(0xffffffff81000100), "vmlinux`weak_alias+0 ffffffff81000000");
  EXPECT_EQ(text(0xffffffff91000100), "none");  // far beyond the last symbol of vmlinux
  EXPECT_EQ(text(0xffffffffc00ff004), "ext4`ext4_a+4 ffffffffc00ff000");
  EXPECT_EQ(text(0xffffffffc0100004), "ext4`ext4_b+4 ffffffffc00ff000");
  EXPECT_EQ(text(0xffffffffc0200000), "bpf`bpf_prog_1_x+0 ffffffffc0200000");
  EXPECT_EQ(text(0x1000), "none");
}

// usym() and symbols of kernel objects name variables, too: types B, D and R of kallsyms.
TEST(KernelSymbols, VariablesAreNamed) {
  KernelSymbols symbols = KernelSymbols::parse(
      "ffffffff82000000 D init_task\n"
      "ffffffff82001000 R sys_call_table\n"
      "ffffffff82002000 b local_buffer\n");
  EXPECT_EQ(symbols.find(0xffffffff82000008)->name, "init_task");
  EXPECT_EQ(symbols.find(0xffffffff82001008)->name, "sys_call_table");
  EXPECT_EQ(symbols.find(0xffffffff82002008)->name, "local_buffer");
}

TEST(KernelSymbols, HiddenAddressesAreIgnored) {
  EXPECT_EQ(KernelSymbols::parse("0000000000000000 T startup\n").size(), 0u);
  EXPECT_EQ(KernelSymbols::load("/nonexistent").size(), 0u);
}

class LiveSymbolizerTest : public ::testing::Test {
 protected:
  uint32_t own = static_cast<uint32_t>(::getpid());
  std::unique_ptr<LiveSymbolizer> live = make_live_symbolizer();
};

TEST_F(LiveSymbolizerTest, NamesOwnFunctions) {
  auto address = reinterpret_cast<uint64_t>(&symbols_test_landmark);
  EXPECT_EQ(live->user_symbol(own, address, true), "output_tests`symbols_test_landmark");
  EXPECT_EQ(live->user_symbol(own, address + 2, true), "output_tests`symbols_test_landmark+0x2");
  EXPECT_EQ(live->user_symbol(own, address + 2, false), "output_tests`symbols_test_landmark");
  EXPECT_EQ(live->user_symbol_start(own, address + 2), address);
  EXPECT_EQ(live->user_module(own, address), "output_tests");
  EXPECT_LE(live->user_module_start(own, address), address);
}

TEST_F(LiveSymbolizerTest, NamesSharedLibrariesAndVdso) {
  auto in_libc = reinterpret_cast<uint64_t>(::dlsym(RTLD_DEFAULT, "lldiv"));
  ASSERT_NE(in_libc, 0u);
  EXPECT_EQ(live->user_symbol(own, in_libc, true), "libc.so.6`lldiv");
  if (uint64_t vdso = ::getauxval(AT_SYSINFO_EHDR); vdso != 0) {
    EXPECT_EQ(live->user_module(own, vdso), "[vdso]");
  }
}

TEST_F(LiveSymbolizerTest, PrintsUnknownAddresses) {
  EXPECT_EQ(live->user_symbol(own, 0x10, true), "0x10");
  EXPECT_EQ(live->user_module(own, 0x10), "0x10");
  EXPECT_EQ(live->user_symbol(0, 0x1000, true), "0x1000");
  EXPECT_EQ(live->user_module_start(0, 0x1000), 0x1000u);
  EXPECT_EQ(live->kernel_symbol(0x1234, true), "0x1234");
  EXPECT_FALSE(live->is_tracer_frame(0x1234));
}

TEST_F(LiveSymbolizerTest, ExitedProcessKeepsItsSymbols) {
  auto address = reinterpret_cast<uint64_t>(&symbols_test_landmark);
  pid_t seen = ::fork();
  if (seen == 0)
    for (;;) ::pause();
  pid_t unseen = ::fork();
  if (unseen == 0)
    for (;;) ::pause();
  live->remember_process(static_cast<uint32_t>(seen));
  for (pid_t child : {seen, unseen}) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  EXPECT_EQ(live->user_symbol(static_cast<uint32_t>(seen), address, true), "output_tests`symbols_test_landmark");
  EXPECT_EQ(live->user_symbol(static_cast<uint32_t>(unseen), address, true), fmt::format("0x{:x}", address));
}

TEST_F(LiveSymbolizerTest, PerfMapsNameJitCode) {
  auto* page = new char[64];
  auto address = reinterpret_cast<uint64_t>(page);
  std::string path = fmt::format("/tmp/perf-{}.map", own);
  // JVMs write addresses and sizes with 0x.
  std::ofstream{path} << fmt::format("{:x} 20 Interpreter:do it\nnot a line\n0x12\n0x{:016x} 0x0020 int A.f(int)\n",
                                     address, address + 32);
  EXPECT_EQ(live->user_symbol(own, address + 4, true), fmt::format("perf-{}.map`Interpreter:do it+0x4", own));
  EXPECT_EQ(live->user_symbol(own, address + 36, true), fmt::format("perf-{}.map`int A.f(int)+0x4", own));
  ::unlink(path.c_str());
  delete[] page;
}

// Names are kept by address, but only as long as the mappings stay.
TEST_F(LiveSymbolizerTest, NamesFollowTheMappings) {
  if (::geteuid() != 0) GTEST_SKIP() << "watching the mappings needs root";
  live = make_live_symbolizer({.is_watching = true});
  auto map_over = [](const void* code, void* place, size_t size) {
    auto maps = ProcessMaps::read(static_cast<uint32_t>(::getpid()));
    const Mapping* mapping = maps->find(reinterpret_cast<uint64_t>(code));
    ASSERT_NE(mapping, nullptr);
    Fd file{::open(mapping->path.c_str(), O_RDONLY | O_CLOEXEC)};
    uint64_t page = reinterpret_cast<uint64_t>(code) / 4096 * 4096;
    auto offset = static_cast<off_t>(page - mapping->start + mapping->offset);
    ASSERT_EQ(::mmap(place, size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file.get(), offset), place);
  };
  constexpr size_t size = 8192;
  void* place = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto landmark = reinterpret_cast<uint64_t>(&symbols_test_landmark);
  uint64_t address = reinterpret_cast<uint64_t>(place) + landmark % 4096;
  map_over(reinterpret_cast<const void*>(landmark), place, size);
  live->process_events();
  EXPECT_EQ(live->user_symbol(own, address, false), "output_tests`symbols_test_landmark");
  EXPECT_EQ(live->user_symbol(own, address, false), "output_tests`symbols_test_landmark");
  map_over(::dlsym(RTLD_DEFAULT, "lldiv"), place, size);
  live->process_events();
  EXPECT_TRUE(live->user_symbol(own, address, false).starts_with("libc.so.6`"));
  ::munmap(place, size);
}

class PerfMap : public ::testing::Test {
 protected:
  ~PerfMap() override { ::unlink(path.c_str()); }
  std::string names(uid_t owner = ::getuid()) const {
    SymbolTable table = read_perf_map(static_cast<uint32_t>(::getpid()), owner);
    std::string text;
    for (const SymbolTable::Item& item : table.items())
      text += fmt::format("{:x} {:x} {}; ", item.start, item.size, item.name);
    return text;
  }
  std::string path = fmt::format("/tmp/perf-{}.map", ::getpid());
};

TEST_F(PerfMap, ParsesStartSizeAndName) {
  std::ofstream{path} << "1000 20 Interpreter:do it\n"
                         "not a line\n"
                         "0x12\n"
                         "\n"
                         "0x0000000000002000 0x0020 int A.f(int)\n"
                         "3000 8 last line without an end";
  EXPECT_EQ(names(), "1000 20 Interpreter:do it; 2000 20 int A.f(int); 3000 8 last line without an end; ");
}

TEST_F(PerfMap, FilesOfOtherUsersAreIgnored) {
  if (::getuid() != 0) GTEST_SKIP() << "needs root";
  std::ofstream{path} << "1000 20 lie\n";
  constexpr uid_t owner = 1234, stranger = 4321;
  ASSERT_EQ(::chown(path.c_str(), stranger, stranger), 0);
  EXPECT_EQ(names(owner), "");
  EXPECT_EQ(names(stranger), "1000 20 lie; ");
}

// Opening a FIFO without a writer blocks.
TEST_F(PerfMap, PipesAreIgnored) {
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(names(), "");
}

TEST_F(LiveSymbolizerTest, NamesKernelSymbolsOfThisMachine) {
  KernelSymbols symbols = KernelSymbols::load();
  if (symbols.size() == 0) GTEST_SKIP() << "kernel addresses are hidden";
  std::ifstream file{"/proc/kallsyms"};
  std::string line, name;
  uint64_t address = 0;
  while (std::getline(file, line) && name.empty())
    if (line.ends_with(" T vfs_read")) {
      name = "vfs_read";
      address = std::strtoull(line.c_str(), nullptr, 16);
    }
  ASSERT_NE(address, 0u);
  EXPECT_EQ(live->kernel_symbol(address + 8, true), "vmlinux`vfs_read+0x8");
  EXPECT_EQ(live->kernel_symbol(address + 8, false), "vmlinux`vfs_read");
  EXPECT_EQ(live->kernel_symbol_start(address + 8), address);
  EXPECT_EQ(live->kernel_module(address), "vmlinux");
  for (int lookup = 0; lookup < 2; ++lookup) {  // the second one is answered from memory
    EXPECT_FALSE(live->is_tracer_frame(address));
    EXPECT_EQ(live->kernel_caller(address + 8, true), "vmlinux`vfs_read+0x8");
    EXPECT_EQ(live->kernel_caller(address + 8, false), "vmlinux`vfs_read");
    EXPECT_EQ(live->kernel_caller(8, true), "0x8");
  }
}

}  // namespace
}  // namespace dscope::test
