// Captures that were cut off or damaged: the reader gives everything before the damage, and one sentence.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "capture/capture_file.h"
#include "capture/capture_reader.h"
#include "capture/capture_writer.h"
#include "support/read_file.h"
#include "tests/unit/capture/sample_capture.h"

namespace dscope {
namespace {

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

struct Outcome {
  std::string error, damage;
  size_t events = 0;
};

Outcome read(const std::string& path) {
  auto reader = CaptureReader::open(path);
  if (!reader) return {.error = reader.error().message(), .damage = {}};
  Outcome outcome;
  CaptureBatch batch;
  while ((*reader)->next(batch)) outcome.events += batch.events.size();
  outcome.damage = (*reader)->damage();
  return outcome;
}

// The offsets at which blocks end.
std::vector<size_t> block_ends(const std::string& bytes) {
  std::vector<size_t> ends = {capture_magic.size()};
  while (ends.back() < bytes.size()) {
    auto header = parse_block_header(std::string_view{bytes}.substr(ends.back()));
    EXPECT_TRUE(header);
    if (!header) break;
    ends.push_back(ends.back() + block_header_size + header->stored_size);
  }
  return ends;
}

std::string content_of(const std::string& path) {
  auto bytes = read_file(path.c_str());
  EXPECT_TRUE(bytes);
  return bytes ? *bytes : std::string();
}

TEST(CaptureDamage, EveryCutOfTheLastBlocksGivesTheEventsBefore) {
  std::string bytes = content_of(write_sample("whole.dcap", 250));
  std::vector<size_t> ends = block_ends(bytes);
  std::string path = ::testing::TempDir() + "/cut.dcap";
  // The last block of events, the tables behind it, those of the end, and the end.
  size_t first = ends[ends.size() - 5];
  for (size_t size = first; size < bytes.size(); ++size) {
    write_file(path, std::string_view{bytes}.substr(0, size));
    Outcome outcome = read(path);
    EXPECT_EQ(outcome.error, "") << size;
    EXPECT_EQ(outcome.events, size < ends[ends.size() - 4] ? 200U : 250U) << size;
    bool is_between_blocks = std::ranges::find(ends, size) != ends.end();
    EXPECT_EQ(outcome.damage, is_between_blocks ? "the recording did not end properly" : "the last block is cut off")
        << size;
  }
}

TEST(CaptureDamage, CutsOfTheFirstBlockAreErrors) {
  std::string bytes = content_of(write_sample("whole2.dcap", 10));
  std::string path = ::testing::TempDir() + "/cut2.dcap";
  for (size_t size = 0; size < block_ends(bytes)[1]; ++size) {
    write_file(path, std::string_view{bytes}.substr(0, size));
    EXPECT_NE(read(path).error, "") << size;
  }
}

TEST(CaptureDamage, AFlippedBitIsFound) {
  std::string bytes = content_of(write_sample("whole3.dcap", 250));
  std::string path = ::testing::TempDir() + "/flipped.dcap";
  std::mt19937 random(1);  // NOLINT: the same damage in every run
  for (int round = 0; round < 100; ++round) {
    std::string damaged = bytes;
    size_t at = random() % bytes.size();
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    write_file(path, damaged);
    Outcome outcome = read(path);
    EXPECT_TRUE(!outcome.error.empty() || !outcome.damage.empty()) << at;
    EXPECT_LE(outcome.events, 250U);
    EXPECT_EQ(outcome.events % 50, 0U) << "blocks are complete or missing";
  }
}

TEST(CaptureDamage, AppendingRepairsTheEnd) {
  std::string path = write_sample("repaired.dcap", 250);
  std::string bytes = content_of(path);
  write_file(path, std::string_view{bytes}.substr(0, bytes.size() - 10));
  write_sample("repaired.dcap", 50, 0, true);
  Outcome outcome = read(path);
  EXPECT_EQ(outcome.events, 300U);
  EXPECT_EQ(outcome.damage, "");
}

TEST(CaptureDamage, OtherFilesAreNoCaptures) {
  std::string path = ::testing::TempDir() + "/other";
  write_file(path, "dscope facts\n2\n");
  EXPECT_TRUE(read(path).error.ends_with("not a capture")) << read(path).error;
  write_file(path, "dscope capture 2\n");
  EXPECT_TRUE(read(path).error.ends_with("its format is unknown to this one")) << read(path).error;
  EXPECT_TRUE(read("/dev/null").error.ends_with("not a regular file"));
  auto appended = CaptureWriter::open(path, sample_start(), {.appends = true});
  EXPECT_FALSE(appended);
}

}  // namespace
}  // namespace dscope
