#include "live/help_text.h"

namespace dscope {

std::span<const HelpLine> help_lines() {
  static constexpr HelpLine lines[] = {
      {"", "Everywhere"},
      {"1-9 Tab Shift-Tab", "change the tab"},
      {"Up Down j k", "move the selection"},
      {"PgUp PgDn", "move it by a page"},
      {"Home End g G", "first, last row"},
      {"/", "filter: a part of a key, or a glob such as vfs_*"},
      {"Esc", "clear the filter, close this help or list"},
      {"p Space", "pause the picture; tracing goes on"},
      {"!", "list the drops and faults"},
      {"u", "units: digits, k M G, time"},
      {"s", "save the D program as a file"},
      {"h", "save a report as a web page"},
      {"Ctrl-L", "draw the screen again"},
      {"q Ctrl-C", "quit"},
      {"", ""},
      {"", "Tables"},
      {"Enter d", "drill down into the selected row"},
      {"Backspace", "go back to the program before"},
      {"< >", "sort by the column to the left, right"},
      {"r", "reverse the order"},
      {"", ""},
      {"", "Distributions"},
      {"m", "histogram or heat map"},
      {"+ -", "less, more time in a column of the heat map"},
      {"", ""},
      {"", "Stacks"},
      {"Enter Right", "expand"},
      {"Left", "collapse, go to the caller"},
      {"e", "expand the hottest path"},
      {"c", "collapse all"},
      {"i", "invert: innermost frames first, then callers"},
      {"d", "drill down: by the stack of the process, then by file"},
      {"t", "tree or table"},
      {"", ""},
      {"", "Rows"},
      {"/", "search"},
      {"n N", "older, newer match"},
      {"Left Right", "scroll sideways"},
      {"End G", "follow the end"},
      {"", ""},
      {"", "Mouse"},
      {"click", "select a tab, a row, the column to sort by"},
      {"wheel", "move the selection"},
  };
  return lines;
}

}  // namespace dscope
