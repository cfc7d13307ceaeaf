// Makes events of the records of recording clauses, and writes them to a capture.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "capture/capture_writer.h"
#include "contract/record_format.h"
#include "runtime/record/address_names.h"
#include "runtime/record/recording_layout.h"

namespace dscope {

class EventRecorder {
 public:
  // The references must outlive the recorder. `plan`: its clauses have records as large as it says.
  EventRecorder(const RecordingLayout& layout, const ProgramPlan& plan, CaptureWriter& writer, Symbolizer& symbols);

  // False if the record is not one of a recording clause.
  bool record(std::span<const std::byte> bytes);

 private:
  // The identity of a thread: its numbers and its name.
  struct ThreadKey {
    uint32_t pid, tid, ppid, uid, gid;
    std::array<char, 16> name;
    bool operator==(const ThreadKey&) const = default;
  };
  struct KnownThread {
    ThreadKey key{};
    uint64_t block = 0;  // the number of the block that has it; 0: none
    uint32_t index = 0;
  };

  uint32_t intern_thread(const RecordedClause& clause, const std::byte* record);
  uint32_t intern_kernel_stack(const Field& field, const std::byte* record);
  uint32_t intern_user_stack(const Field& field, const std::byte* record);
  uint64_t column_value(const Field& field, const std::byte* record);

  const RecordingLayout& layout_;
  CaptureWriter& writer_;
  AddressNames names_;
  static constexpr uint32_t no_clause = UINT32_MAX;
  std::vector<uint32_t> clause_of_;    // index into layout_.clauses, by clause number
  std::vector<uint32_t> record_size_;  // by clause number
  std::array<KnownThread, 1024> known_threads_;
  std::vector<uint64_t> values_, addresses_;
};

}  // namespace dscope
