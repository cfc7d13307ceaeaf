// The report of a run: one self-contained HTML file. Browsers show it from file:// without any request.
#pragma once

#include <string>

#include "pictures/run_model.h"

namespace dscope {

// Equal models give equal bytes.
std::string report_html(const RunModel& model);
// The page of report_html() without data: it polls the server that it came from (src/web/live_page.h) for the report.
// Its bytes never change.
std::string live_page_html();

}  // namespace dscope
