// perf.data files that tests make: as perf(1) lays them out, with what the importer reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dscope {

class MadePerfData {
 public:
  // Events. Samples of tracepoints have IDENTIFIER, IP, TID, TIME, CPU and RAW; those of the clock have a call chain
  // instead of RAW.
  uint32_t add_tracepoint(const std::string& group, const std::string& name, uint32_t id, const std::string& fields);
  uint32_t add_clock(uint64_t frequency);

  void add_name(uint32_t pid, uint32_t tid, const std::string& name);
  void add_fork(uint32_t parent, uint32_t pid, uint32_t tid);
  void add_mapping(uint32_t pid, uint64_t start, uint64_t size, const std::string& path);
  void add_losses(uint64_t count);  // as the kernel records them: on CPU 1, with a time
  // As perf appends them when it ends: with neither a CPU nor a time.
  void add_total_losses(uint64_t count);
  // `misc`: 1 in the kernel, 2 in the process. `content`: the record of the tracepoint, or words of the call chain.
  void add_sample(uint32_t event, uint64_t time, uint32_t pid, uint32_t tid, uint32_t cpu, const std::string& content,
                  uint16_t misc = 2, uint64_t address = 0x401000);

  // As `perf record -z`: replaces the records by compressed ones, which end within a record. Call it last.
  void compress();

  std::string file() const;

 private:
  struct Event {
    uint32_t type = 0;
    uint64_t config = 0, period = 1, sample_type = 0, flags = 0;
    std::string name;
  };
  void add_record(uint32_t type, uint16_t misc, const std::string& body);
  // The end of records other than samples.
  static std::string stamp(uint64_t time, uint32_t cpu);
  std::string attributes(uint64_t ids_at) const;
  std::string tracing_data() const;

  std::vector<Event> events_;
  std::vector<std::pair<std::string, std::string>> formats_;  // group, text
  std::string records_;
};

// The bytes of numbers, one after the other.
template <typename... Numbers>
std::string bytes_of(Numbers... numbers) {
  std::string bytes;
  (bytes.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
  return bytes;
}

// The text in a field of `size` bytes.
inline std::string padded(std::string text, size_t size) {
  text.resize(size);
  return text;
}

}  // namespace dscope
