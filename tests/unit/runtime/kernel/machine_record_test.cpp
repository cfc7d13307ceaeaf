#include "runtime/kernel/machine_record.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/read_file.h"

namespace dscope {
namespace {

MachineRecord sample() {
  MachineRecord record;
  record.facts.has_raw_tp_cookie = false;
  record.facts.cpu_count = 96;
  record.facts.kernel_release = "6.1.0-9-amd64";
  record.mechanisms = {.has_trampoline = true, .has_kprobe = true};
  record.cpus = {{.package = 0, .node = 1, .megahertz = 3000}, {.package = 1, .node = -1, .megahertz = -1}};
  record.block_drivers = {{8, "sd"}, {259, "blkext"}};
  record.modules = {"loop", "nf_tables"};
  record.absent_calls = {451, 452};
  record.files = {{"/proc/modules", ""}, {"/proc/kallsyms", std::string(100'000, 'k')}};
  return record;
}

std::string packed(const MachineRecord& record) {
  auto bytes = pack_machine(record);
  EXPECT_TRUE(bytes) << bytes.error().message();
  return bytes.value_or("");
}

std::string error_of(const std::string& bytes) {
  auto record = unpack_machine(bytes);
  return record ? "none" : record.error().message();
}

TEST(MachineRecord, IsUnpackedAsPacked) {
  auto record = unpack_machine(packed(sample()));
  ASSERT_TRUE(record) << record.error().message();
  EXPECT_FALSE(record->facts.has_raw_tp_cookie);
  EXPECT_EQ(record->facts.cpu_count, 96U);
  EXPECT_EQ(record->facts.kernel_release, "6.1.0-9-amd64");
  EXPECT_TRUE(record->mechanisms.has_kprobe);
  EXPECT_FALSE(record->mechanisms.has_multi);
  ASSERT_EQ(record->cpus.size(), 2U);
  EXPECT_EQ(record->cpus[1].node, -1);
  EXPECT_EQ(record->block_drivers.at(259), "blkext");
  EXPECT_EQ(record->modules, (std::vector<std::string>{"loop", "nf_tables"}));
  EXPECT_EQ(record->absent_calls, (std::vector<uint32_t>{451, 452}));
  EXPECT_EQ(record->files, sample().files);
}

TEST(MachineRecord, OtherFilesAreRejected) {
  EXPECT_EQ(error_of("#!/bin/sh\n"), "not a facts file");
  EXPECT_EQ(error_of("dscope facts\n999\n"), "written by another version of dscope");
}

TEST(MachineRecord, DamageIsDetected) {
  std::string bytes = packed(sample());
  for (size_t size = 0; size < bytes.size(); ++size) EXPECT_NE(error_of(bytes.substr(0, size)), "none") << size;
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    auto record = unpack_machine(damaged);
    // zstd has bits in its header that mean nothing.
    if (record) {
      EXPECT_EQ(record->files, sample().files) << at;
    }
  }
}

TEST(MachineRecord, PathsOutsideTheFolderAreRejected) {
  for (const char* path : {"/proc/../../etc/passwd", "etc/passwd", "/proc/", ""}) {
    MachineRecord record = sample();
    record.files[path] = "x";
    EXPECT_NE(error_of(packed(record)), "none") << path;
  }
}

TEST(MachineRecord, FilesAreReadFromTheMachineInUse) {
  std::string path = testing::TempDir() + "machine_record_test_" + std::to_string(::getpid());
  std::ofstream(path) << packed(sample());
  std::string copy;
  {
    auto machine = MachineInUse::open(path);
    ASSERT_TRUE(machine) << machine.error().message();
    copy = machine_path("/proc/kallsyms");
    EXPECT_EQ(read_file(copy.c_str()).value_or("").size(), 100'000U);
    ASSERT_NE(recorded_machine(), nullptr);
    EXPECT_EQ(recorded_machine()->facts.cpu_count, 96U);
  }
  EXPECT_EQ(recorded_machine(), nullptr);
  EXPECT_EQ(machine_path("/proc/kallsyms"), "/proc/kallsyms");
  EXPECT_FALSE(std::filesystem::exists(copy));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace dscope
