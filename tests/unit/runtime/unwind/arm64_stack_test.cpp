// Unwinds the stack of a real program for arm64 (arm64_program.cpp) by the tables of its file, and compares the frames
// with those that the program finds itself. Needs a cross compiler and qemu-user; skipped without them.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "arch/unwind_machine.h"
#include "codegen/bpf/unwind.h"
#include "runtime/unwind/object_tables.h"
#include "support/fd.h"
#include "tests/support/fake_unwind_maps.h"

namespace dscope::test {
namespace {

FakeUnwindMaps& arm64_maps = fake_unwind_maps;

struct StackDump {
  std::vector<uint64_t> registers, words, frames;
};

StackDump run_program(const std::string& path) {
  StackDump dump;
  std::unique_ptr<FILE, int (*)(FILE*)> output{::popen(("qemu-aarch64 -cpu max " + path).c_str(), "r"), ::pclose};
  char kind[16];
  unsigned long value = 0;
  while (output && std::fscanf(output.get(), "%15s %lx", kind, &value) == 2) {
    std::string word{kind};
    (word == "register" ? dump.registers : word == "word" ? dump.words : dump.frames).push_back(value);
  }
  return dump;
}

// Pointers into the stack become pointers into our copy of it.
void move_stack(StackDump& dump) {
  uint64_t start = dump.registers[1], end = start + dump.words.size() * 8;
  uint64_t copy = reinterpret_cast<uint64_t>(dump.words.data());
  auto move = [&](uint64_t& word) {
    if (word >= start && word < end) word += copy - start;
  };
  for (uint64_t& word : dump.words) move(word);
  for (uint64_t& word : dump.registers) move(word);
}

std::vector<uint64_t> unwind_dump(const StackDump& dump, const std::string& path) {
  TableMemory memory{[](uint32_t) { return arm64_maps.add_chunk(); }};
  ObjectTables tables{memory, aarch64};
  Fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  const ObjectTable& table = tables.of_file(file.get());
  if (table.segments.empty()) return {};
  const ObjectTable::Segment& code = table.segments.front();
  ds_unwind_area area{.start = code.address,
                      .end = code.address + code.size,
                      .bias = table.first_page,
                      .pages = table.pages,
                      .page_count = table.page_count};
  uint32_t words = sizeof area / 4, location = memory.allocate(words).value();
  std::memcpy(memory.at(location, words).data(), &area, sizeof area);
  arm64_maps.counters = {};
  arm64_maps.uprobes = {};
  arm64_maps.run_process({.stack_start = 77, .code_pages = 5}, location, 1);
  ds_unwind_walk walk = fake_walk(dump.registers[0], dump.registers[1], dump.registers[2]);
  walk.machine = unwind_machine(aarch64);
  walk.link = dump.registers[3];
  unsigned long long frames[64] = {};
  i64 bytes = ds_unwind(frames, std::size(frames), &walk);
  arm64_maps.chunks.clear();
  return {frames, frames + bytes / 8};
}

TEST(Arm64Stack, HasTheFramesThatTheProgramFinds) {
  std::string path = DSCOPE_ARM64_PROGRAM;
  StackDump dump = path.empty() ? StackDump{} : run_program(path);
  if (dump.registers.size() != 4) GTEST_SKIP() << "needs aarch64-linux-gnu-g++ and qemu-aarch64";
  std::vector<uint64_t> signed_words = dump.words;
  move_stack(dump);
  std::vector<uint64_t> frames = unwind_dump(dump, path);
  ASSERT_GT(dump.frames.size(), 12U);
  // Behind the leaf function and dump(), which goes on; the program also reports the end of its stack.
  ASSERT_GT(frames.size(), 2U);
  size_t common = std::min(frames.size() - 2, dump.frames.size() - 1);
  EXPECT_GE(common + 2, dump.frames.size());
  for (size_t i = 0; i < common; ++i) EXPECT_EQ(frames[i + 2], dump.frames[i + 1]) << i;
  EXPECT_EQ(arm64_maps.counters.unreadable_memory, 0U);
  auto is_signed = [&](uint64_t word) { return word >> 48 != 0 && (word & 0xffffffffffff) == dump.frames[1]; };
  EXPECT_TRUE(std::ranges::any_of(signed_words, is_signed)) << "return addresses are signed";
}

}  // namespace
}  // namespace dscope::test
