// Which user stacks the programs of a plan unwind by tables, and which the consumer unwinds from copies
// (docs/decisions/0065).
#pragma once

#include "arch/architecture.h"
#include "catalog/option_values.h"

namespace dscope {

// Whether frame tables of the processor can be read into rules.
inline bool has_frame_rules(const Architecture& architecture) { return !architecture.unwinding.offsets.empty(); }

// Whether ustack() is unwound by tables in maps.
inline bool unwinds_by_tables(const OptionValues& options, const Architecture& architecture) {
  std::string_view unwinding = options.text(OptionId::Ustackunwind);
  return has_frame_rules(architecture) && (unwinding == "auto" || unwinding == "tables");
}

// Whether ucaller and ustackdepth are. They are numbers that the program needs, so that no copy can serve them.
inline bool counts_by_tables(const OptionValues& options, const Architecture& architecture) {
  return has_frame_rules(architecture) && options.text(OptionId::Ustackunwind) != "fp";
}

}  // namespace dscope
