// The keys of the live view, as its help shows them. docs/live-view.md explains more.
#pragma once

#include <span>
#include <string_view>

namespace dscope {

struct HelpLine {
  std::string_view keys;  // empty: `text` is a heading, or an empty line
  std::string_view text;
};

std::span<const HelpLine> help_lines();

}  // namespace dscope
