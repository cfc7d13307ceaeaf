// The report of a run: one self-contained HTML file. Browsers show it from file:// without any request.
#pragma once

#include <string>

#include "pictures/run_model.h"

namespace dscope {

// The same model gives the same bytes.
std::string report_html(const RunModel& model);

}  // namespace dscope
