// KernelFunctions: the functions of the kernel and of its modules that are described by BTF, and which of them can be
// traced (providers.md 4.1). Nothing is read before it is asked for; what the kernel says to be traceable takes 40 ms.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "contract/host.h"

namespace dscope {

class KernelTypes;

// Where the files are, so that tests can give their own.
struct FunctionFiles {
  std::string symbols = "/proc/kallsyms";
  std::string traceable;  // available_filter_functions; empty: that of tracefs
};

class KernelFunctions {
 public:
  struct Function {
    std::string_view name;
    uint32_t type_id = 0;  // BTF id, in the module's numbers
    uint32_t module = 0;   // index for module_name()
  };
  explicit KernelFunctions(KernelTypes& types, FunctionFiles files = {}) : types_(types), files_(std::move(files)) {}

  // Those of vmlinux by name, then those of the modules, by module. Functions that no tracer should touch, because
  // tracing itself runs through them, are left out.
  std::span<const Function> functions();
  // A module has been loaded since: its functions are not among those, which have their numbers.
  void loaded(const std::string& module);
  std::span<const Function> functions_of_later_modules() const { return later_; }
  std::string_view module_name(uint32_t module) const { return modules_[module]; }
  // Whether the kernel can put a probe on it. The first few that are asked for are tried out.
  bool is_traceable(const Function& function);

  // Names of all that can be traced in `module`, with the compiler's suffixes (.isra.0), in the kernel's order.
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

  std::string text_;                                // of the file that names what can be traced
  std::unordered_set<std::string_view> traceable_;  // "name" or "name [module]", in text_
  std::vector<std::string_view> in_order_;          // the same
  bool is_read_ = false;
  uint32_t tried_ = 0;
  std::optional<FunctionMechanisms> mechanisms_;
};

// Whether tracing it would run into itself, or the kernel does not call it as a function.
bool is_denied_function(std::string_view name);

}  // namespace dscope
