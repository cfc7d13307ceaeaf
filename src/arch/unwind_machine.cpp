#include "arch/unwind_machine.h"

#include <cstring>

namespace dscope {

ds_unwind_machine unwind_machine(const Architecture& architecture) {
  // A function that maintains frame pointers has saved the one of its caller next to the return address, at the place
  // that its own frame pointer has.
  constexpr int record_bytes = 16;
  bool has_link = architecture.return_address.has_value();
  ds_unwind_rule rule{
      .kind = DS_UNWIND_FRAME,
      .frame_kind = static_cast<unsigned char>(has_link ? DS_UNWIND_RETURN_BEHIND_FRAME : DS_UNWIND_FRAME_AT_CFA),
      .frame_offset = -record_bytes,
      .offset = record_bytes};
  ds_unwind_machine machine{.code_mask = architecture.return_address_mask,
                            .default_rule = 0,
                            .entry_bytes = has_link ? 0U : sizeof(uint64_t)};
  std::memcpy(&machine.default_rule, &rule, sizeof rule);
  return machine;
}

}  // namespace dscope
