// The content of a block of events: the threads, stacks and byte strings that its events refer to, and one column for
// each value of each probe. Values of a column are alike, so that they take few bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "capture/capture_block.h"
#include "capture/capture_event.h"
#include "capture/capture_shape.h"

namespace dscope {

// An event that a recorder adds to a block.
struct RecordedEvent {
  uint64_t time = 0;
  uint32_t probe = 0;
  uint32_t cpu = 0;
  uint32_t thread = 0;                        // EventBlock::intern() returns it, as the next two
  uint32_t kernel_stack = 0, user_stack = 0;  // 0: none
  int32_t error = 0;
  std::span<const uint64_t> values;  // parallel to the columns of the probe's shape
};

// The bytes that threads with equal members share.
std::string key_of(const CapturedThread& thread);

// A block that grows. All indices are those of this block.
class EventBlock {
 public:
  // `shapes` must outlive the block.
  explicit EventBlock(const std::vector<CapturedShape>& shapes);

  uint32_t intern(const CapturedThread& thread);
  uint32_t intern(std::span<const uint64_t> stack);
  uint32_t intern(std::string_view bytes);
  void add(const RecordedEvent& event);

  size_t event_count() const { return event_count_; }
  // Counts the blocks from 1: indices of another block mean something else.
  uint64_t number() const { return number_; }
  // About the bytes that the block uses in memory, here or in a reader.
  size_t size() const { return size_; }
  uint64_t first_time() const { return first_time_; }
  // The sealed block; this one is empty afterwards.
  std::string take();

 private:
  struct Column {
    std::vector<uint64_t> values;
  };
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Texts = std::unordered_map<std::string, uint32_t, TextHash, std::equal_to<>>;

  uint32_t intern(Texts& texts, std::vector<std::string_view>& order, std::string_view text);
  void append_tables(std::string& out) const;
  void append_columns(std::string& out) const;
  void clear();

  const std::vector<CapturedShape>& shapes_;
  size_t event_count_ = 0, size_ = 0;
  uint64_t number_ = 1;
  uint64_t first_time_ = 0, last_time_ = 0;
  Texts threads_, stacks_, strings_;
  std::vector<std::string_view> thread_order_, stack_order_, string_order_;  // into the keys of the maps
  std::vector<uint64_t> times_;
  std::vector<uint32_t> probes_, cpus_, event_threads_, kernel_stacks_, user_stacks_;
  std::vector<int32_t> errors_;
  std::vector<std::vector<Column>> columns_;  // by probe
};

// Gives each thread and stack of a file one index, although every block has its own.
class CaptureTableBuilder {
 public:
  explicit CaptureTableBuilder(CaptureTables& tables) : tables_(tables) {}
  uint32_t thread(const CapturedThread& thread);
  uint32_t stack(std::vector<uint64_t> addresses);

 private:
  CaptureTables& tables_;
  std::unordered_map<std::string, uint32_t> threads_, stacks_;
};

// Replaces the content of `batch`. `first_probe`: the index in CaptureInfo::probes of the first one of `shapes`. Fails
// with one sentence for content that is damaged; allocates in proportion to it.
Result<> read_events(std::string_view content, const BlockHeader& header, const std::vector<CapturedShape>& shapes,
                     uint32_t first_probe, CaptureTableBuilder& tables, CaptureBatch& batch);

}  // namespace dscope
