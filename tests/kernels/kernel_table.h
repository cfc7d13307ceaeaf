// The tables of docs/reference/kernels.md: what works on which kernel. A test makes the column of each cached kernel
// again and compares.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

// The constructs that compile for one kernel, and those that do not.
struct KernelColumn {
  struct Count {
    size_t working = 0, total = 0;
  };
  std::map<std::string, Count> groups;  // "provider io"
  std::vector<std::string> missing;     // names of constructs and their parts
};

class KernelTable {
 public:
  // Reads the tables between the marks `<!-- kernels -->` and `<!-- end -->`; empty tables if there are none.
  static KernelTable parse(std::string_view document);

  bool has(const std::string& kernel) const;
  // Adds the kernel, or replaces its column.
  void set(const std::string& kernel, const KernelColumn& column);
  // The text between the marks.
  std::string render() const;
  // The document with this text between the marks.
  std::string insert_into(std::string_view document) const;

 private:
  using Cells = std::map<std::string, std::string>;  // by kernel
  std::string render_rows(const char* title, const std::map<std::string, Cells>& rows, const char* missing_cell) const;

  std::vector<std::string> kernels_;      // oldest first
  std::map<std::string, Cells> groups_;   // "all", "3 of 4"
  std::map<std::string, Cells> missing_;  // "no"; no cell: it works
};

}  // namespace dscope
