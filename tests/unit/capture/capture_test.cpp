// Captures: a reader gets what was written, also by several recordings and in the mode that keeps the last seconds.
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "capture/capture_reader.h"
#include "capture/capture_writer.h"
#include "capture/redact.h"
#include "tests/unit/capture/sample_capture.h"

namespace dscope {
namespace {

std::unique_ptr<CaptureReader> open(const std::string& path) {
  auto reader = CaptureReader::open(path);
  EXPECT_TRUE(reader) << reader.error().message();
  return reader ? std::move(*reader) : nullptr;
}

std::string text_at(const CaptureEvent& event, uint64_t address) {
  for (const CapturedMemory& memory : event.memory)
    if (memory.address == address) return reinterpret_cast<const char*>(memory.bytes.data());
  return "(no memory)";
}

TEST(Capture, EventsAreReadAsTheyWereWritten) {
  auto reader = open(write_sample("events.dcap", 250));
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(reader->event_count(), 250);
  EXPECT_EQ(reader->damage(), "");
  CaptureBatch batch;
  uint32_t i = 0;
  while (reader->next(batch))
    for (const CaptureEvent& event : batch.events) {
      EXPECT_EQ(event.time, 1000U * i);
      EXPECT_EQ(event.cpu, i % 2);
      const CapturedThread& thread = reader->tables().threads[event.thread];
      EXPECT_EQ(thread.tid, 100 + i % 3);
      EXPECT_EQ(thread.execname, "cat");
      EXPECT_EQ(reader->tables().stacks[event.kernel_stack][0], 0xffffffff81000010 + i % 3);
      EXPECT_EQ(event.user_stack, 0U);
      std::string name = "/etc/file" + std::to_string(i % 5);
      if (event.probe == 0) {
        EXPECT_EQ(event.error, i % 7 == 0 ? 2 : 0);
        ASSERT_EQ(event.words.size(), 3U);
        EXPECT_EQ(event.words[0], i);
        EXPECT_EQ(text_at(event, event.words[1]), name);
      } else {
        EXPECT_EQ(event.words[0], captured_object_address(0));
        ASSERT_EQ(event.memory.size(), 1U);
        EXPECT_EQ(std::to_integer<uint32_t>(event.memory[0].bytes[0]), 0x40 + i % 2);
        EXPECT_STREQ(reinterpret_cast<const char*>(event.memory[0].bytes.data() + 8), name.c_str());
      }
      ++i;
    }
  EXPECT_EQ(i, 250U);
}

TEST(Capture, TablesAreReadAsTheyWereWritten) {
  auto reader = open(write_sample("tables.dcap", 10));
  ASSERT_NE(reader, nullptr);
  const CaptureInfo& info = reader->info();
  CaptureStart written = sample_start();
  EXPECT_EQ(info.descriptions, written.info.descriptions);
  EXPECT_EQ(info.parts, written.info.parts);
  EXPECT_EQ(info.facts.kernel_release, "6.18.0");
  ASSERT_EQ(info.probes.size(), 2U);
  EXPECT_EQ(info.probes[0].function, "openat");
  EXPECT_EQ(info.probes[0].hook, Hook{(HookSyscall{.number = 257, .is_return = false})});
  EXPECT_EQ(info.recordings.at(0).end, 10'000U);
  EXPECT_EQ(info.lost_events, (std::vector<uint64_t>{0, 3}));
  ASSERT_NE(info.find_symbol(0, 0xffffffff81000010), nullptr);
  EXPECT_EQ(info.find_symbol(0, 0xffffffff81000010)->text, "vmlinux`vfs_open+0x10");
  EXPECT_EQ(info.find_symbol(1, 0xffffffff81000010), nullptr);
}

TEST(Capture, TypesAreImported) {
  auto reader = open(write_sample("types.dcap", 1));
  ASSERT_NE(reader, nullptr);
  TypeTable types;
  std::map<uint32_t, TypeId> imported;
  TypeId pointer = import_captured_type(reader->info(), reader->info().probes[1].args[0].type, types, imported);
  EXPECT_EQ(types.spell(pointer), "struct bufinfo *");
  const Type& object = types.resolved(types.resolved(pointer).base);
  ASSERT_EQ(object.members.size(), 1U);
  EXPECT_EQ(object.members[0].type, types.int_type());
}

TEST(Capture, RewindReadsAgain) {
  auto reader = open(write_sample("rewind.dcap", 150));
  ASSERT_NE(reader, nullptr);
  CaptureBatch batch;
  size_t first = 0, second = 0;
  while (reader->next(batch)) first += batch.events.size();
  reader->rewind();
  while (reader->next(batch)) second += batch.events.size();
  EXPECT_EQ(first, 150U);
  EXPECT_EQ(second, 150U);
  EXPECT_EQ(reader->tables().threads.size(), 3U);
}

TEST(Capture, RecordingsAreAppended) {
  write_sample("appended.dcap", 20);
  auto reader = open(write_sample("appended.dcap", 30, 0, true));
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(reader->info().recordings.size(), 2U);
  EXPECT_EQ(reader->info().probes.size(), 4U);
  EXPECT_EQ(reader->info().lost_events, (std::vector<uint64_t>{0, 6}));
  CaptureBatch batch;
  size_t old_probes = 0, new_probes = 0;
  while (reader->next(batch))
    for (const CaptureEvent& event : batch.events) ++(event.probe < 2 ? old_probes : new_probes);
  EXPECT_EQ(old_probes, 20U);
  EXPECT_EQ(new_probes, 30U);
  TypeTable types;
  std::map<uint32_t, TypeId> imported;
  EXPECT_EQ(types.spell(import_captured_type(reader->info(), reader->info().probes[3].args[0].type, types, imported)),
            "struct bufinfo *");
}

// 1,000 events of a microsecond each, in blocks of 100: a span of 250 us keeps at most four blocks.
TEST(Capture, ASpanKeepsTheLastEvents) {
  auto reader = open(write_sample("span.dcap", 1000, 250'000));
  ASSERT_NE(reader, nullptr);
  EXPECT_GE(reader->event_count(), 250U);
  EXPECT_LE(reader->event_count(), 400U);
  CaptureBatch batch;
  uint64_t first = UINT64_MAX, last = 0;
  while (reader->next(batch))
    for (const CaptureEvent& event : batch.events) {
      first = std::min(first, event.time);
      last = event.time;
    }
  EXPECT_LE(first, 750'000U);
  EXPECT_EQ(last, 999'000U);
}

TEST(Capture, SnapshotsHoldEachEventOnce) {
  std::string path = ::testing::TempDir() + "/snapshots.dcap";
  auto writer = CaptureWriter::open(path, sample_start(), {.span_ns = 1'000'000'000});
  ASSERT_TRUE(writer);
  uint64_t values[] = {1, 2, 3, 0};
  for (uint64_t i = 0; i < 30; ++i) {
    RecordedEvent event{.time = i, .thread = (*writer)->block().intern(CapturedThread{.pid = 1}), .values = values};
    (*writer)->add(event);
    if (i % 10 == 9 && i < 25) (*writer)->snapshot();
  }
  (*writer)->finish(30);
  auto reader = open(path);
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(reader->event_count(), 20U) << "the last ten events came after the last snapshot";
  ASSERT_EQ(reader->info().recordings.size(), 2U);
  EXPECT_EQ(reader->info().recordings[0].begin, 0U);
  EXPECT_EQ(reader->info().recordings[1].begin, 9U) << "where the first snapshot ends";
}

TEST(Capture, ThreadObjectsHaveTheSameAddressInAllEvents) {
  CaptureStart start = sample_start();
  CapturedProbe& probe = start.info.probes[0];
  probe.others.push_back(
      {.expression = "curpsinfo", .type_text = "psinfo_t *", .type = {3}, .name = {}, .word = captured_process_word});
  start.shapes[0].objects.push_back({captured_process_word, 24});
  start.shapes[0].columns.push_back({ColumnKind::MemberNumber, captured_process_word, 0, 4});
  std::string path = ::testing::TempDir() + "/threads.dcap";
  auto writer = CaptureWriter::open(path, start, {});
  ASSERT_TRUE(writer);
  uint64_t values[] = {1, 2, 3, 0, 77};
  (*writer)->add({.time = 1, .thread = (*writer)->block().intern(CapturedThread{.pid = 1}), .values = values});
  (*writer)->finish(2);
  auto reader = open(path);
  ASSERT_NE(reader, nullptr);
  CaptureBatch batch;
  ASSERT_TRUE(reader->next(batch));
  const CaptureEvent& event = batch.events.at(0);
  EXPECT_EQ(event.words.size(), 3U);
  ASSERT_EQ(event.memory.size(), 1U);
  EXPECT_EQ(event.memory[0].address, captured_object_address(captured_process_word));
  EXPECT_EQ(std::to_integer<int>(event.memory[0].bytes[0]), 77);
}

TEST(Capture, RedactedCopiesKeepTheirRecordings) {
  write_sample("redacted.dcap", 20);
  std::string path = write_sample("redacted.dcap", 30, 0, true), copy = path + ".copy";
  auto redaction = redact_capture(path, copy, {.has_paths = true}, {1, 2});
  ASSERT_TRUE(redaction) << redaction.error().message();
  EXPECT_EQ(redaction->event_count, 50U);
  auto reader = open(copy);
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(reader->info().recordings.size(), 2U);
  EXPECT_EQ(reader->info().probes.size(), 4U);
  EXPECT_EQ(reader->info().lost_events, (std::vector<uint64_t>{0, 6}));
  CaptureBatch batch;
  size_t counts[2] = {};
  while (reader->next(batch))
    for (const CaptureEvent& event : batch.events) counts[event.probe < 2 ? 0 : 1] += batch.recording < 2 ? 1 : 0;
  EXPECT_EQ(counts[0], 20U);
  EXPECT_EQ(counts[1], 30U);
}

}  // namespace
}  // namespace dscope
