// tracemem(): dumps memory as bytes (consumer-and-actions.md 3.4).
#include "runtime/actions/actions.h"
#include "runtime/format/raw_dump.h"
#include "runtime/format/value.h"

namespace dscope {

std::span<const std::byte> traced_memory(const RecordedAction& call) {
  const Field* memory = call.field(0);
  if (!memory) return {};
  std::span<const std::byte> bytes = field_bytes(*memory, call.record);
  if (const Field* wanted = call.field(1); wanted) {
    int64_t size = load_integer(*wanted, call.record);
    bool is_all = (wanted->is_signed && size < 0) || static_cast<uint64_t>(size) >= bytes.size();
    if (!is_all) bytes = bytes.first(static_cast<size_t>(size));
  }
  return bytes;
}

void run_Tracemem(const RecordedAction& call, const ActionServices&, std::string& out) {
  append_raw_dump(out, traced_memory(call));
}

}  // namespace dscope
