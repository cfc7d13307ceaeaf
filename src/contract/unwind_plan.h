// temporary
#pragma once
#include "contract/program_plan.h"
#include "contract/late_code.h"
namespace dscope {
inline constexpr MapKind chunk_table_kind = static_cast<MapKind>(7);
inline constexpr MachineTable unwind_layout_table = static_cast<MachineTable>(30);
inline bool has_unwind_tables(const ProgramPlan& plan) {
  for (const MapPlan& map : plan.maps) if (map.kind == chunk_table_kind) return true;
  return false;
}
}
