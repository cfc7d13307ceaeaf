// The files that the live view saves, in the current directory. Existing files are kept: the names are numbered.
#pragma once

#include <string>

#include "pictures/run_model.h"
#include "support/result.h"

namespace dscope {

// Both return the name of the new file: "dscope-1.d", "dscope-1.html".
Result<std::string> save_live_script(const RunModel& model);
Result<std::string> save_live_report(const RunModel& model);

}  // namespace dscope
