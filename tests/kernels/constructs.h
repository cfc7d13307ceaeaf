// Everything in dscope that depends on the kernel's types, as D programs. Each compiles for a kernel or is missing
// there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dscope {

// A program of one clause, or a whole script. Its parts compile together unless one of them is missing on the kernel.
struct Construct {
  struct Part {
    std::string name;       // "args[2]->fi_name"; empty: the construct itself
    std::string statement;  // "trace(args[2]->fi_name);"
  };
  std::string name;         // "`io:::start`", the row of docs/reference/kernels.md
  std::string description;  // of the probe: "io:::start"
  std::vector<Part> parts;
  // Only D libraries use it: it may be missing where they have an alternative. Programs that use it are other
  // constructs.
  bool is_internal = false;
  std::string pragma = {};  // a line before the clause
  std::string script = {};  // if not empty: the file of the program, which has no parts

  std::string program() const;  // of all parts
  std::string program(const Part& part) const;
  std::string name_of(const Part& part) const;  // "io:::start args[2]->fi_name"
};

// The probes of derived providers with the members of their arguments, the translators and inlines of the D libraries
// in `library_folder`, the built-in variables, samples of the other providers, and the scripts in `tool_folder`.
std::vector<Construct> all_constructs(const std::string& library_folder, const std::string& tool_folder);

}  // namespace dscope
