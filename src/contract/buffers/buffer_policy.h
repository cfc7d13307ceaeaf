// The principal buffer as options set it (consumer-and-actions.md 2.4): its size and its policy when full. The limits
// of other memory that options set.
#pragma once

#include <cstdint>

#include "catalog/option_values.h"
#include "contract/record_format.h"

namespace dscope {

enum class BufferPolicy : uint8_t {
  Switch,  // printed while tracing; records that do not fit are dropped
  Fill,    // the run ends when the buffer of a CPU is full; printed at the end
  Ring,    // the newest records stay; printed at the end
};

inline BufferPolicy buffer_policy(const OptionValues& options) {
  const std::string& policy = options.text(OptionId::Bufpolicy);
  if (policy == "fill") return BufferPolicy::Fill;
  return policy == "ring" ? BufferPolicy::Ring : BufferPolicy::Switch;
}

// Bytes of each CPU's buffer.
inline uint64_t buffer_size(const OptionValues& options) {
  int64_t size = options.number(OptionId::Bufsize);
  return static_cast<uint64_t>(size > 0 ? size : row(OptionId::Bufsize).default_value);
}

// Limit of the ring that all CPUs share: the sum of their buffers.
inline constexpr int64_t max_ring_bytes = 1 << 30;

// Bytes of the buffer that a record of `record_size` bytes uses.
inline uint64_t buffered_size(uint64_t record_size) { return record_size + DS_RECORD_OVERHEAD; }

// The limits of the map of an aggregation if the script sets aggsize. The kernel allocates all elements in advance, and
// most machines cannot allocate more.
inline constexpr int64_t max_aggregation_elements = 1 << 22, max_aggregation_bytes = 1 << 30;

// Limit of the elements of an associative array.
inline constexpr int64_t max_array_elements = 1 << 20;

// Bytes of dynvarsize that an element of an associative array uses, from the default size on.
inline constexpr uint64_t array_element_size(uint64_t key_size, uint64_t value_size) {
  return key_size + value_size + 12;
}

}  // namespace dscope
