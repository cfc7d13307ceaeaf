#include "tests/unit/capture/sample_capture.h"

#include <gtest/gtest.h>

#include "capture/capture_writer.h"
#include "support/format.h"

namespace dscope {

CaptureStart sample_start() {
  CaptureStart start;
  CaptureInfo& info = start.info;
  info.descriptions = {"syscall:::", "io:::start"};
  info.parts = {CapturePart::Args, CapturePart::Strings};
  info.facts.kernel_release = "6.18.0";
  info.facts.machine = "x86_64";
  info.recordings.push_back({.begin = 0, .end = 0, .boot_to_wall_ns = 1'700'000'000'000'000'000});
  info.types = {Type{}, Type{.kind = TypeKind::Integer, .name = "int", .size = 4, .is_signed = true},
                Type{.kind = TypeKind::Struct,
                     .name = "struct bufinfo",
                     .size = 24,
                     .members = {{.name = "b_flags", .type = {1}, .bit_offset = 0}}},
                Type{.kind = TypeKind::Pointer, .size = 8, .base = {2}}};
  CapturedProbe open{.id = 5, .provider = "syscall", .module = "vmlinux", .function = "openat", .name = "entry"};
  open.is_system_call = true;
  open.arg_count = 3;
  open.hook = HookSyscall{.number = 257, .is_return = false};
  open.args.push_back({.expression = "args[0]", .type_text = "int", .type = {1}, .name = "dfd", .word = 0});
  CapturedProbe io{.id = 9, .provider = "io", .module = "vmlinux", .function = "", .name = "start"};
  io.args.push_back({.expression = "args[0]", .type_text = "bufinfo_t *", .type = {3}, .name = "bufinfo", .word = 0});
  info.probes = {open, io};
  start.shapes = {
      CapturedShape{
          .word_count = 3,
          .columns = {{ColumnKind::Word, 0}, {ColumnKind::Word, 1}, {ColumnKind::Word, 2}, {ColumnKind::Memory, 1}},
          .objects = {}},
      CapturedShape{.word_count = 1,
                    .columns = {{ColumnKind::MemberNumber, 0, 0, 4}, {ColumnKind::MemberMemory, 0, 8, 16}},
                    .objects = {{0, 24}}}};
  return start;
}

namespace {

void add_event(CaptureWriter& writer, uint32_t i) {
  EventBlock& block = writer.block();
  std::string name = fmt::format("/etc/file{}", i % 5);
  uint32_t text = block.intern(std::string_view{name.c_str(), name.size() + 1});
  uint64_t stack[] = {0xffffffff81000010 + i % 3, 0xffffffff81000200};
  bool is_open = i % 10 != 9;
  uint64_t open_values[] = {i, 0x7000 + i % 5, 7, text};
  uint64_t io_values[] = {0x40 + i % 2, text};
  RecordedEvent event{.time = uint64_t{1000} * i,
                      .probe = is_open ? 0U : 1U,
                      .cpu = i % 2,
                      .thread = block.intern(CapturedThread{
                          .pid = 100, .tid = 100 + i % 3, .ppid = 1, .uid = 1000, .gid = 1000, .execname = "cat"}),
                      .kernel_stack = block.intern(std::span<const uint64_t>{stack}),
                      .error = is_open && i % 7 == 0 ? 2 : 0};
  event.values = is_open ? std::span<const uint64_t>{open_values} : std::span<const uint64_t>{io_values};
  writer.add(event);
}

}  // namespace

std::string write_sample(const std::string& name, uint32_t events, uint64_t span_ns, bool appends) {
  std::string path = ::testing::TempDir() + "/" + name;
  auto writer = CaptureWriter::open(path, sample_start(), {.appends = appends, .span_ns = span_ns, .facts_file = {}});
  EXPECT_TRUE(writer) << writer.error().message();
  if (!writer) return path;
  for (uint32_t i = 0; i < events; ++i) {
    add_event(**writer, i);
    // Small blocks, as those of a slow recording.
    if (i % 100 == 99) (*writer)->write_if_old(uint64_t{1000} * i + 2'000'000'000);
  }
  (*writer)->add_symbol(0, 0xffffffff81000010, {.symbol = "vmlinux`vfs_open", .text = "vmlinux`vfs_open+0x10"});
  (*writer)->set_losses({0, 3});
  (*writer)->finish(uint64_t{1000} * events);
  EXPECT_TRUE((*writer)->status());
  return path;
}

}  // namespace dscope
