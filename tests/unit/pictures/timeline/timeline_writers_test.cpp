// Timelines as bytes. tests/pictures decodes larger ones with programs of others.
#include <gtest/gtest.h>

#include <string>

#include "pictures/pictures_fixture.h"
#include "pictures/timeline/ctf_writer.h"
#include "pictures/timeline/perfetto_writer.h"

namespace dscope::test {
namespace {

constexpr uint64_t monotonic_start = 1'000'000;

RunStart timeline_start() {
  RunStart start = start_with({});
  start.start_ns = 1000 * second;
  start.start_monotonic_ns = monotonic_start;
  return start;
}

PictureRow row_at(uint64_t since_start, std::string text) {
  return {.monotonic_ns = monotonic_start + since_start, .pid = 7, .tid = 7, .execname = "a", .text = std::move(text)};
}

RunUpdate update_with(std::vector<PictureRow> rows) {
  RunUpdate update{.time_ns = 1001 * second};
  update.rows = std::move(rows);
  return update;
}

bool contains(const std::string& bytes, std::string_view part) { return bytes.find(part) != bytes.npos; }

class PerfettoWriterTest : public testing::Test {
 protected:
  PerfettoWriterTest() { writer_.begin(timeline_start()); }

  std::string bytes_;
  PerfettoWriter writer_{[this](std::string_view bytes) { bytes_ += bytes; }};
};

TEST_F(PerfettoWriterTest, WritesRowsWhenTheNextUpdateComes) {
  writer_.add(update_with({row_at(5, "first\n")}));
  EXPECT_FALSE(contains(bytes_, "first"));
  writer_.add(update_with({}));
  EXPECT_TRUE(contains(bytes_, "first"));
}

TEST_F(PerfettoWriterTest, WritesTheRestAtTheEnd) {
  writer_.add(update_with({row_at(5, "first\n")}));
  writer_.end({.time_ns = 1002 * second});
  EXPECT_TRUE(contains(bytes_, "first"));
}

TEST_F(PerfettoWriterTest, SaysTheTimeOfRowsThatComeTooLate) {
  writer_.add(update_with({row_at(50, "a\n")}));
  writer_.add(update_with({}));
  EXPECT_FALSE(contains(bytes_, "time of the probe"));
  writer_.add(update_with({row_at(20, "b\n")}));
  writer_.add(update_with({}));
  EXPECT_TRUE(contains(bytes_, "time of the probe"));
  EXPECT_TRUE(contains(bytes_, "1000020"));
}

TEST_F(PerfettoWriterTest, KeepsAllLinesOfARow) {
  writer_.add(update_with({row_at(50, "\n  title\n   vmlinux`f\n")}));
  writer_.end({.time_ns = 1002 * second});
  EXPECT_TRUE(contains(bytes_, "\n  title\n   vmlinux`f\n"));
}

class CtfWriterTest : public testing::Test {
 protected:
  CtfWriterTest() { writer_.begin(timeline_start()); }

  // Reads a field of the packet that starts at `packet`.
  uint64_t packet_field(size_t packet, size_t field) const {
    uint64_t number = 0;
    for (size_t i = 8; i-- != 0;)
      number = number << 8 | static_cast<unsigned char>(stream_[packet + 8 + 8 * field + i]);
    return number;
  }
  std::vector<size_t> packet_sizes() const {
    std::vector<size_t> sizes;
    for (size_t at = 0; at < stream_.size(); at += sizes.back()) sizes.push_back(packet_field(at, 3) / 8);
    return sizes;
  }

  std::string metadata_, stream_;
  CtfWriter writer_{[this](std::string_view bytes) { metadata_ += bytes; },
                    [this](std::string_view bytes) { stream_ += bytes; }};
};

TEST_F(CtfWriterTest, DeclaresAnEventOnceBeforeItsFirstRow) {
  EXPECT_FALSE(contains(metadata_, "syscall:vmlinux:read:entry"));
  writer_.add(update_with({row_at(1, "a"), row_at(2, "b")}));
  writer_.end({.time_ns = 1002 * second});
  size_t first = metadata_.find("syscall:vmlinux:read:entry");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(metadata_.find("syscall:vmlinux:read:entry", first + 1), std::string::npos);
}

TEST_F(CtfWriterTest, BoundsPackets) {
  std::vector<PictureRow> rows;
  for (uint64_t i = 0; i < 40; ++i) rows.push_back(row_at(i, std::string(4000, 'x')));
  rows.push_back(row_at(40, std::string(100'000, 'y')));
  writer_.add(update_with(rows));
  writer_.end({.time_ns = 1002 * second});
  std::vector<size_t> sizes = packet_sizes();
  ASSERT_EQ(sizes.size(), 4U);
  for (size_t i = 0; i < 3; ++i) EXPECT_LE(sizes[i], CtfWriter::max_packet_bytes);
  EXPECT_GT(sizes[3], 100'000U);
}

TEST_F(CtfWriterTest, CountsLostRowsAsDiscarded) {
  RunUpdate update = update_with({row_at(1, "a")});
  update.lost_rows = 5;
  update.drops = {
      {.time_ns = 1001 * second, .text = "2 drops", .kind = "DTRACEDROP_PRINCIPAL", .count = 2},
      {.time_ns = 1001 * second, .text = "9 aggregation drops", .kind = "DTRACEDROP_AGGREGATION", .count = 9}};
  writer_.add(update);
  writer_.end({.time_ns = 1002 * second});
  EXPECT_EQ(packet_field(0, 5), 7U);
}

TEST_F(CtfWriterTest, IsATraceEvenIfNothingHappened) {
  writer_.end({.time_ns = 1002 * second});
  EXPECT_EQ(packet_sizes().size(), 1U);
  EXPECT_TRUE(metadata_.starts_with("/* CTF 1.8 */"));
}

TEST_F(CtfWriterTest, QuotesTheMetadata) {
  RunStart start = timeline_start();
  start.command_line = "dscope -n '\"\\\n'";
  std::string metadata;
  CtfWriter writer{[&](std::string_view bytes) { metadata += bytes; }, [](std::string_view) {}};
  writer.begin(start);
  EXPECT_TRUE(contains(metadata, R"(command = "dscope -n '\"\\^J'";)"));
}

}  // namespace
}  // namespace dscope::test
