// The names of the addresses in recorded stacks, and the files whose code they are in. Each is looked up once, while
// its process probably still exists.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "capture/capture_writer.h"
#include "runtime/elf/process_maps.h"
#include "runtime/format/symbolizer.h"

namespace dscope {

class AddressNames {
 public:
  // Both must outlive this object.
  AddressNames(Symbolizer& symbols, CaptureWriter& writer) : symbols_(symbols), writer_(writer) {}

  // Without the frames of the tracer at its begin.
  std::span<const uint64_t> without_tracer(std::span<const uint64_t> kernel_stack);
  // Writes the names that the capture lacks.
  void add_kernel(std::span<const uint64_t> stack);
  // Writes the names of a user stack. Returns the frames before the first that is no code of the process: functions
  // without frame pointers use the register for data, so the chain of frame pointers ends in any number.
  std::span<const uint64_t> add_code(uint32_t pid, std::span<const uint64_t> stack);

 private:
  CapturedSymbol kernel_name(uint64_t address);
  CapturedSymbol user_name(uint32_t pid, uint64_t address);
  void add_objects(uint32_t pid);
  const std::string& build_id_of(uint32_t pid, const Mapping& mapping);

  Symbolizer& symbols_;
  CaptureWriter& writer_;
  std::unordered_map<uint64_t, bool> is_tracer_;
  std::unordered_set<uint32_t> known_processes_;
  std::map<std::pair<std::string, uint64_t>, std::string> build_ids_;  // by device and inode
};

}  // namespace dscope
