// The report of a run: one self-contained HTML file. Browsers show it from file:// without any request.
#pragma once

#include <string>

#include "pictures/run_model.h"

namespace dscope {

// The same model gives the same bytes.
std::string report_html(const RunModel& model);
// The same page without data: it asks the server that it came from (src/web/live_page.h) for the report, again and
// again. The same bytes always.
std::string live_page_html();

}  // namespace dscope
