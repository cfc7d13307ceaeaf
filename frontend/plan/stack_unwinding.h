// Which user stacks the programs of a plan unwind by tables, and which the consumer unwinds from copies
// (docs/decisions/0065).
#pragma once

#include "arch/architecture.h"
#include "catalog/option_values.h"

namespace dscope {

// Whether ustack() is unwound by tables in maps.
inline bool unwinds_by_tables(const OptionValues& options, const Architecture& architecture) {
  std::string_view unwinding = options.text(OptionId::Ustackunwind);
  return &architecture == &x86_64 && (unwinding == "auto" || unwinding == "tables");
}

// Whether ucaller and ustackdepth are. They are numbers that the program needs, so that no copy can serve them.
inline bool counts_by_tables(const OptionValues& options, const Architecture& architecture) {
  return &architecture == &x86_64 && options.text(OptionId::Ustackunwind) != "fp";
}

}  // namespace dscope
