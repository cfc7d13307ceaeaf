// Reads blocks of events. Nothing in them is trusted: every count is compared with the bytes that are left.
#include <algorithm>
#include <cstring>

#include "capture/event_columns.h"
#include "capture/event_prediction.h"
#include "capture/varint.h"

namespace dscope {

namespace {

struct ByteString {
  size_t start = 0, size = 0;  // in CaptureBatch::bytes
};

class BlockReading {
 public:
  BlockReading(std::string_view content, const BlockHeader& header, const std::vector<CapturedShape>& shapes,
               uint32_t first_probe, CaptureTableBuilder& tables, CaptureBatch& batch)
      : in_(content),
        count_(header.event_count),
        shapes_(shapes),
        first_probe_(first_probe),
        tables_(tables),
        batch_(batch) {}

  Result<> run() {
    batch_.events.clear();
    batch_.words.clear();
    batch_.memory.clear();
    batch_.bytes.clear();
    // Each event takes a byte or more in every column.
    if (count_ > in_.left()) return fail(Error("a block has more events than bytes"));
    read_threads();
    read_stacks();
    read_strings();
    read_common_columns();
    read_values();
    if (!in_.has_failed() && in_.left() != 0) in_.fail();
    if (in_.has_failed() || !is_valid_ || !reserve()) return fail(Error("a block of events is malformed"));
    make_events();
    return {};
  }

 private:
  // The number of elements that follow, each of at least one byte.
  uint64_t read_count() {
    uint64_t count = in_.next();
    if (count > in_.left()) in_.fail();
    return in_.has_failed() ? 0 : count;
  }

  void read_threads() {
    constexpr size_t numbers_size = 5 * sizeof(uint32_t), max_name = 64;
    for (uint64_t left = read_count(); left > 0; --left) {
      std::string_view key = in_.bytes(in_.next());
      if (key.size() < numbers_size || key.size() > numbers_size + max_name) return in_.fail();
      uint32_t numbers[5];
      std::memcpy(numbers, key.data(), numbers_size);
      threads_.push_back(tables_.thread({.pid = numbers[0],
                                         .tid = numbers[1],
                                         .ppid = numbers[2],
                                         .uid = numbers[3],
                                         .gid = numbers[4],
                                         .execname = std::string(key.substr(numbers_size))}));
    }
  }

  void read_stacks() {
    stacks_.push_back(0);
    for (uint64_t left = read_count(); left > 0; --left) {
      std::vector<uint64_t> addresses(read_count());
      uint64_t before = 0;
      for (uint64_t& address : addresses) before = address = before + from_zigzag(in_.next());
      if (in_.has_failed()) return;
      stacks_.push_back(tables_.stack(std::move(addresses)));
    }
  }

  void read_strings() {
    strings_.push_back({});
    for (uint64_t left = read_count(); left > 0; --left) {
      std::string_view text = in_.bytes(in_.next());
      strings_.push_back({batch_.bytes.size(), text.size()});
      auto bytes = std::as_bytes(std::span{text});
      batch_.bytes.insert(batch_.bytes.end(), bytes.begin(), bytes.end());
    }
  }

  VarintReader column() { return VarintReader{in_.bytes(in_.next())}; }

  // An index that must be below `size`.
  uint32_t index(VarintReader& column, size_t size) {
    uint64_t value = column.next();
    is_valid_ = is_valid_ && value < size;
    return is_valid_ ? static_cast<uint32_t>(value) : 0;
  }

  void read_common_columns() {
    VarintReader times = column(), cpus = column(), threads = column(), probes = column();
    bool are_differences = in_.bytes(1) == "\1";
    VarintReader errors = column(), kernel_stacks = column(), user_stacks = column();
    if (in_.has_failed()) return;
    ThreadPrediction threads_predicted;
    ProbePrediction probes_predicted;
    probe_counts_.resize(shapes_.size());
    batch_.events.resize(count_);
    uint64_t time = 0, error = 0;
    constexpr size_t max_cpus = 65536;
    for (size_t i = 0; i < count_ && is_valid_; ++i) {
      CaptureEvent& event = batch_.events[i];
      event.time = time += from_zigzag(times.next());
      event.cpu = index(cpus, max_cpus);
      uint64_t thread = threads.next();
      uint32_t own_thread = thread == 0 ? threads_predicted.expect(event.cpu) : static_cast<uint32_t>(thread - 1);
      threads_predicted.note(event.cpu, own_thread);
      uint64_t probe = probes.next();
      event.probe = probe == 0 ? probes_predicted.expect(own_thread) : static_cast<uint32_t>(probe - 1);
      probes_predicted.note(own_thread, event.probe);
      is_valid_ = is_valid_ && own_thread < threads_.size() && event.probe < shapes_.size();
      if (!is_valid_) return;
      event.thread = threads_[own_thread];
      ++probe_counts_[event.probe];
      uint64_t number = from_zigzag(errors.next());
      error = are_differences ? error + number : number;
      event.error = static_cast<int32_t>(error);
      event.kernel_stack = stacks_[index(kernel_stacks, stacks_.size())];
      event.user_stack = stacks_[index(user_stacks, stacks_.size())];
    }
    for (const VarintReader* each : {&times, &cpus, &threads, &probes, &errors, &kernel_stacks, &user_stacks})
      is_valid_ = is_valid_ && !each->has_failed() && each->left() == 0;
  }

  // The values of a probe: column by column.
  void read_values() {
    if (!is_valid_) return;
    values_.resize(shapes_.size());
    for (size_t probe = 0; probe < probe_counts_.size() && !in_.has_failed(); ++probe) {
      if (probe_counts_[probe] == 0) continue;
      const CapturedShape& shape = shapes_[probe];
      for (const CapturedColumn& each : shape.columns) {
        std::vector<uint64_t>& numbers = values_[probe].emplace_back();
        read_numbers(numbers, probe_counts_[probe]);
        bool is_memory = each.kind == ColumnKind::Memory || each.kind == ColumnKind::MemberMemory;
        if (is_memory && std::ranges::any_of(numbers, [&](uint64_t number) { return number >= strings_.size(); }))
          is_valid_ = false;
      }
    }
  }

  void read_numbers(std::vector<uint64_t>& numbers, size_t count) {
    bool are_differences = in_.bytes(1) == "\1";
    VarintReader bytes = column();
    if (count > bytes.left()) return in_.fail();
    numbers.resize(count);
    uint64_t before = 0;
    for (uint64_t& number : numbers) {
      uint64_t read = from_zigzag(bytes.next());
      before = number = are_differences ? before + read : read;
    }
    is_valid_ = is_valid_ && !bytes.has_failed() && bytes.left() == 0;
  }

  // Makes room for what the events refer to, so that their spans stay valid. False if it is too much: writers make
  // blocks of some megabytes.
  bool reserve() {
    constexpr size_t max_bytes = size_t{1} << 30;
    size_t words = 0, memory = 0, objects = 0;
    for (size_t probe = 0; probe < probe_counts_.size(); ++probe) {
      const CapturedShape& shape = shapes_[probe];
      auto is_memory = [](const CapturedColumn& column) { return column.kind == ColumnKind::Memory; };
      size_t per_event = shape.objects.size() + static_cast<size_t>(std::ranges::count_if(shape.columns, is_memory));
      words += probe_counts_[probe] * shape.word_count;
      memory += probe_counts_[probe] * per_event;
      for (const CapturedObjectShape& object : shape.objects) objects += probe_counts_[probe] * object.size;
    }
    if (words * sizeof(uint64_t) + memory * sizeof(CapturedMemory) + objects > max_bytes) return false;
    batch_.words.resize(words);
    batch_.memory.resize(memory);
    object_bytes_ = batch_.bytes.size();
    batch_.bytes.resize(object_bytes_ + objects);
    return true;
  }

  void make_events() {
    std::vector<size_t> next(shapes_.size());
    for (CaptureEvent& event : batch_.events) {
      make_event(event, next[event.probe]++);
      event.probe += first_probe_;
    }
  }

  void make_event(CaptureEvent& event, size_t row) {
    const CapturedShape& shape = shapes_[event.probe];
    const std::vector<std::vector<uint64_t>>& columns = values_[event.probe];
    std::span<uint64_t> words{batch_.words.data() + words_used_, shape.word_count};
    words_used_ += shape.word_count;
    size_t first_memory = memory_used_;
    for (const CapturedObjectShape& object : shape.objects) {
      uint64_t address = captured_object_address(object.word);
      if (object.word < words.size()) words[object.word] = address;
      batch_.memory[memory_used_++] = {address, {batch_.bytes.data() + object_bytes_, object.size}};
      object_bytes_ += object.size;
    }
    for (size_t i = 0; i < shape.columns.size(); ++i) {
      const CapturedColumn& column = shape.columns[i];
      uint64_t value = columns[i][row];
      switch (column.kind) {
        case ColumnKind::Word: words[column.word] = value; break;
        case ColumnKind::Memory: break;  // its address may come later
        case ColumnKind::MemberNumber: std::memcpy(member(event, column, first_memory), &value, column.size); break;
        case ColumnKind::MemberMemory: {
          const ByteString& text = strings_[value];
          std::memcpy(member(event, column, first_memory), batch_.bytes.data() + text.start,
                      std::min<size_t>(text.size, column.size));
          break;
        }
      }
    }
    for (size_t i = 0; i < shape.columns.size(); ++i) {
      const CapturedColumn& column = shape.columns[i];
      if (column.kind != ColumnKind::Memory || columns[i][row] == 0) continue;
      const ByteString& text = strings_[columns[i][row]];
      batch_.memory[memory_used_++] = {words[column.word], {batch_.bytes.data() + text.start, text.size}};
    }
    std::span<CapturedMemory> memory{batch_.memory.data() + first_memory, memory_used_ - first_memory};
    if (memory.size() > 1) std::ranges::sort(memory, {}, &CapturedMemory::address);
    event.words = words;
    event.memory = memory;
  }

  std::byte* member(const CaptureEvent& event, const CapturedColumn& column, size_t first_memory) {
    const std::vector<CapturedObjectShape>& objects = shapes_[event.probe].objects;
    auto object = std::ranges::find(objects, column.word, &CapturedObjectShape::word) - objects.begin();
    auto bytes = batch_.memory[first_memory + static_cast<size_t>(object)].bytes;
    return batch_.bytes.data() + (bytes.data() - batch_.bytes.data()) + column.offset;
  }

  VarintReader in_;
  size_t count_;
  const std::vector<CapturedShape>& shapes_;
  uint32_t first_probe_;
  CaptureTableBuilder& tables_;
  CaptureBatch& batch_;
  bool is_valid_ = true;
  std::vector<uint32_t> threads_, stacks_;  // of the block -> of the file
  std::vector<ByteString> strings_;
  std::vector<size_t> probe_counts_;
  std::vector<std::vector<std::vector<uint64_t>>> values_;  // by probe and column
  size_t words_used_ = 0, memory_used_ = 0, object_bytes_ = 0;
};

}  // namespace

uint32_t CaptureTableBuilder::thread(const CapturedThread& thread) {
  auto [entry, is_new] = threads_.try_emplace(key_of(thread), static_cast<uint32_t>(tables_.threads.size()));
  if (is_new) tables_.threads.push_back(thread);
  return entry->second;
}

uint32_t CaptureTableBuilder::stack(std::vector<uint64_t> addresses) {
  if (addresses.empty()) return 0;
  std::string key(reinterpret_cast<const char*>(addresses.data()), addresses.size() * sizeof(uint64_t));
  auto [entry, is_new] = stacks_.try_emplace(std::move(key), static_cast<uint32_t>(tables_.stacks.size()));
  if (is_new) tables_.stacks.push_back(std::move(addresses));
  return entry->second;
}

Result<> read_events(std::string_view content, const BlockHeader& header, const std::vector<CapturedShape>& shapes,
                     uint32_t first_probe, CaptureTableBuilder& tables, CaptureBatch& batch) {
  return BlockReading{content, header, shapes, first_probe, tables, batch}.run();
}

}  // namespace dscope
