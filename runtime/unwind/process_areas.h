// The mappings of code of a process, as areas with unwind tables (contract/stacks/unwind_format.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/elf/process_maps.h"
#include "runtime/unwind/object_tables.h"

namespace dscope {

// The areas of the executable mappings, by address; at most DS_UNWIND_MAX_AREAS. Opens the files through the process.
std::vector<ds_unwind_area> areas_of(uint32_t pid, const ProcessMaps& maps, ObjectTables& tables);

// The number `startstack` in the text of /proc/<pid>/stat: mm_struct.start_stack. Nothing if it is not there.
std::optional<uint64_t> stack_start_of(std::string_view stat);

// Whether the program of the process is a 64-bit one. Nothing if it cannot be read.
std::optional<bool> is_64_bit(uint32_t pid);

}  // namespace dscope
