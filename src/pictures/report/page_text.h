// The page of reports, generated at build time from the files in page/. The script and the data belong between the
// other parts, as gzip files in base64.
#pragma once

#include <string_view>

namespace dscope {

extern const std::string_view report_page_start, report_page_script, report_page_middle, report_page_end;

}  // namespace dscope
