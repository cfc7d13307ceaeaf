// KernelFunctions: the functions of the kernel and its modules that BTF describes, and which of them can be traced
// (providers.md 4.1). Everything is read on demand; the kernel's list of traceable functions takes 40 ms.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "contract/machine.h"
#include "runtime/kernel/machine_record.h"

namespace dscope {

class KernelTypes;

// The files that are read; tests replace them.
struct FunctionFiles {
  std::string symbols = machine_path("/proc/kallsyms");
  std::string traceable;  // available_filter_functions; empty for that of tracefs
};

class KernelFunctions {
 public:
  struct Function {
    std::string_view name;
    uint32_t type_id = 0;  // BTF id in the module's blob
    uint32_t module = 0;   // argument of module_name()
  };
  explicit KernelFunctions(KernelTypes& types, FunctionFiles files = {}) : types_(types), files_(std::move(files)) {}

  // The functions of vmlinux by name, then those of each module by name. Omits functions that tracing itself calls
  // (is_denied_function). Indexes into the result stay valid when modules are loaded later.
  std::span<const Function> functions();
  // To be called when a module has been loaded: adds its functions to functions_of_later_modules().
  void loaded(const std::string& module);
  std::span<const Function> functions_of_later_modules() const { return later_; }
  std::string_view module_name(uint32_t module) const { return modules_[module]; }
  // Whether the kernel can attach a probe to the function. Loads a test program for each of the first few functions of
  // vmlinux; then reads the kernel's list.
  bool is_traceable(const Function& function);

  // All traceable functions, with the compiler's suffixes (.isra.0), in the kernel's order.
  struct Symbol {
    std::string_view module, name;
  };
  std::vector<Symbol> symbols();

  FunctionMechanisms mechanisms();

 private:
  void add_module(const std::string& name, std::vector<Function>& all);
  void read_traceable();
  void add_line(std::string_view name_and_module);

  KernelTypes& types_;
  FunctionFiles files_;
  std::vector<std::string> modules_;
  std::vector<Function> functions_, later_;
  bool is_listed_ = false;

  std::string text_;                                // of the list of traceable functions
  std::unordered_set<std::string_view> traceable_;  // "name" or "name [module]"; views of text_
  std::vector<std::string_view> in_order_;          // the same in the order of the file
  bool is_read_ = false;
  uint32_t tried_ = 0;
  std::optional<FunctionMechanisms> mechanisms_;
};

// Whether tracing the function could recurse, or the kernel does not call it as a function.
bool is_denied_function(std::string_view name);

}  // namespace dscope
