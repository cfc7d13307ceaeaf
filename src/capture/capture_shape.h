// The values that the events of a probe hold in a capture file, and how the reader makes words and memory of them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "capture/capture_event.h"
#include "capture/capture_info.h"
#include "support/result.h"

namespace dscope {

enum class ColumnKind : uint8_t {
  Word,          // the value is the word `word`
  Memory,        // bytes at the address in the word `word`
  MemberNumber,  // `size` bytes of the object of the word `word`, at `offset`
  MemberMemory,  // bytes of that object
};

// One value of each event. Values of the kinds with memory are indices of byte strings; 0: they could not be read.
struct CapturedColumn {
  ColumnKind kind{};
  uint32_t word = 0;
  uint32_t offset = 0, size = 0;  // bytes; of members only
  bool operator==(const CapturedColumn&) const = default;
};

struct CapturedObjectShape {
  uint32_t word = 0;  // holds its address; or is_thread_object()
  uint32_t size = 0;  // bytes
};

struct CapturedShape {
  uint32_t word_count = 0;
  std::vector<CapturedColumn> columns;
  std::vector<CapturedObjectShape> objects;
};

// The limits of shapes of untrusted files.
inline constexpr uint32_t max_captured_words = captured_process_word, max_captured_columns = 1024,
                          max_object_size = 1U << 20;

// The content of the first block of a recording.
struct CaptureStart {
  CaptureInfo info;                   // without symbols, objects, losses
  std::vector<CapturedShape> shapes;  // parallel to info.probes
};

// Tables that grow while a recording goes on. Each block of tables adds to those before it; losses replace.
struct CaptureAdditions {
  std::vector<std::pair<std::pair<uint32_t, uint64_t>, CapturedSymbol>> symbols;
  std::vector<CapturedObject> objects;
  std::vector<uint64_t> lost_events;  // by CPU
  uint64_t last_time = 0;             // CLOCK_MONOTONIC
};

std::string pack_start(CaptureStart start);
std::string pack_additions(CaptureAdditions additions);
// Fail with one sentence for content that is damaged: indices in the result are in range.
Result<CaptureStart> unpack_start(const std::string& content);
Result<CaptureAdditions> unpack_additions(const std::string& content);

}  // namespace dscope
