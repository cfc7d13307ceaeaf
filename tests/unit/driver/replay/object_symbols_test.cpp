// Names of addresses that a capture has no names for, from files with the recorded build-ids.
#include "driver/replay/object_symbols.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "runtime/elf/build_id.h"
#include "runtime/elf/debug_files.h"

namespace dscope {

// External, so that the symbol table has it.
__attribute__((noinline)) int named_by_object_symbols(int value) { return value * 3; }

namespace {

constexpr uint32_t pid = 4711;

// This program as a process of a capture.
CaptureInfo info_of_this_program(const std::string& build_id) {
  CaptureInfo info;
  auto maps = ProcessMaps::read(static_cast<uint32_t>(::getpid()));
  const Mapping* own = maps->find(reinterpret_cast<uint64_t>(&named_by_object_symbols));
  info.objects.push_back({.pid = pid,
                          .start = own->start,
                          .end = own->end,
                          .offset = own->offset,
                          .path = own->path,
                          .build_id = build_id});
  return info;
}

std::string build_id_of_this_program() {
  Fd self = open_regular(std::filesystem::read_symlink("/proc/self/exe"));
  return read_build_id(self.get());
}

TEST(ObjectSymbols, NamesAddressesOfTheRecordedFile) {
  if (build_id_of_this_program().empty()) GTEST_SKIP() << "the linker writes no build-ids";
  CaptureInfo info = info_of_this_program(build_id_of_this_program());
  ObjectSymbols symbols(info);
  CapturedSymbol found = symbols.describe(pid, reinterpret_cast<uint64_t>(&named_by_object_symbols) + 1);
  EXPECT_TRUE(found.symbol.ends_with("`dscope::named_by_object_symbols")) << found.symbol;
  EXPECT_TRUE(found.text.ends_with("+0x1")) << found.text;
  EXPECT_EQ(found.start, reinterpret_cast<uint64_t>(&named_by_object_symbols));
}

TEST(ObjectSymbols, LeavesOtherFilesOut) {
  CaptureInfo info = info_of_this_program("0123456789abcdef");
  ObjectSymbols symbols(info);
  CapturedSymbol found = symbols.describe(pid, 0x400123);
  EXPECT_TRUE(found.symbol.ends_with("0x400123")) << found.symbol;
  EXPECT_EQ(symbols.describe(1, 0x400123).symbol, "0x400123");
}

TEST(ObjectSymbols, FindsBuildIdsAmongNotes) {
  using namespace std::string_view_literals;
  constexpr std::string_view other = "\4\0\0\0\4\0\0\0\1\0\0\0Xen\0abcd"sv;
  constexpr std::string_view id = "\4\0\0\0\3\0\0\0\3\0\0\0GNU\0\x12\x34\xab\0"sv;
  EXPECT_EQ(build_id_in_notes(std::string(other) + std::string(id)), "1234ab");
  EXPECT_EQ(build_id_in_notes(other), "");
  EXPECT_EQ(build_id_in_notes(id.substr(0, id.size() - 3)), "");
}

}  // namespace
}  // namespace dscope
