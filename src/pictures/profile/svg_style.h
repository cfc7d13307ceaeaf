// The fixed parts of SVG pictures: colors, and the script that searches and zooms.
#pragma once

#include <string_view>

namespace dscope {

// CSS and JavaScript without "]]>", for CDATA sections.
std::string_view svg_style();
std::string_view svg_script();

}  // namespace dscope
