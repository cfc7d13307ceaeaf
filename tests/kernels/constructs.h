// Everything in dscope that depends on the kernel's types, as D programs. Each compiles for a kernel or is missing
// there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dscope {

// A program of one clause. Its parts compile together unless one of them is missing on the kernel.
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

  std::string program() const;  // of all parts
  std::string program(const Part& part) const;
  std::string name_of(const Part& part) const;  // "io:::start args[2]->fi_name"
};

// The probes of derived providers with the members of their arguments, the translators and inlines of the D libraries
// in `library_folder`, the built-in variables, and samples of the other providers.
std::vector<Construct> all_constructs(const std::string& library_folder);

}  // namespace dscope
