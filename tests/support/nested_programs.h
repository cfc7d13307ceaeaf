// Programs nested to any depth, one for each recursive rule of the grammar. The parser and the whole command must
// reject them.
#pragma once

#include <string>
#include <vector>

namespace dscope {

inline std::string repeated(const std::string& piece, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += piece;
  return text;
}

inline std::vector<std::string> nested_programs(size_t depth) {
  return {
      "BEGIN { x = " + repeated("(", depth) + "1" + repeated(")", depth) + "; }",
      "BEGIN { x = " + repeated("- ", depth) + "1; }",
      "BEGIN { x = " + repeated("(int)", depth) + "1; }",
      "BEGIN { x = " + repeated("strlen(", depth) + "1" + repeated(")", depth) + "; }",
      "BEGIN { x = " + repeated("a[", depth) + "1" + repeated("]", depth) + "; }",
      "BEGIN { x = " + repeated("1 + ", depth) + "1; }",
      "BEGIN /" + repeated("1 && ", depth) + "1/ { }",
      "BEGIN { x = " + repeated("1 ? 2 : ", depth) + "1; }",
      "BEGIN { x = " + repeated("1 ? ", depth) + "2" + repeated(": 3", depth) + "; }",
      "BEGIN { " + repeated("x = ", depth) + "1; }",
      "BEGIN { x = curthread" + repeated("->parent", depth) + "; }",
      "BEGIN { x = " + repeated("sizeof ", depth) + "pid; }",
      "BEGIN { " + repeated("if (pid) { ", depth) + "x = 1" + repeated(" }", depth) + " }",
      "BEGIN { " + repeated("if (pid) ", depth) + "x = 1; }",
      "BEGIN { if (pid) x = 1; " + repeated("else if (pid) x = 1; ", depth) + " }",
      "BEGIN { x++" + repeated(", x++", depth) + "; }",
      "int " + repeated("(", depth) + "x" + repeated(")", depth) + "; BEGIN { }",
      "int " + repeated("*", depth) + "x; BEGIN { }",
      "int x" + repeated("[2]", depth) + "; BEGIN { }",
      repeated("struct { ", depth) + "int x; " + repeated("} y; ", depth) + " BEGIN { }",
      "int f" + repeated("(int (*)", depth) + repeated("(int))", depth) + "; BEGIN { }",
  };
}

}  // namespace dscope
