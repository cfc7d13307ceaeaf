// curpsinfo and curlwpsinfo of a replay: a D library in place of the one that reads the kernel's tasks.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "capture/capture_info.h"
#include "contract/types/type.h"
#include "driver/compile/compilation.h"
#include "driver/compile/library_files.h"

namespace dscope {

// Translates the objects that the capture holds of the threads. Without them, members with the values of built-in
// variables remain.
LibraryFile recorded_thread_library(const CaptureInfo& info);

// The type that the library calls `name`, in the table of a compiler; nullopt if it is none of that library. `imported`
// as in import_captured_type().
std::optional<TypeId> find_recorded_thread_type(const CaptureInfo& info, std::string_view name, TypeTable& types,
                                                std::map<uint32_t, TypeId>& imported);

// If a member of these objects is missing: names the option of --record that would have kept it.
void explain_missing_member(Compilation& compilation, const CaptureInfo& info);

}  // namespace dscope
