// ProcessTypes: the types of running processes and of single files, from the DWARF of executables and libraries.
// Resolves `pid123`foo`: searches the executable first, then the libraries in the order of their addresses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "contract/process_provider.h"
#include "contract/types/type.h"
#include "runtime/dwarf/dwarf_types.h"
#include "runtime/dwarf/traced_code.h"

namespace dscope {

// The location of a parameter at the entry of its function, as DWARF states it for the compiled code.
struct ParameterLocation {
  enum class Kind : uint8_t {
    Register,          // in register `number`, a DWARF number
    MemoryAtRegister,  // in memory, at the address in register `number`
    MemoryAtArgument,  // in memory, at an address that is passed as an integer argument instead
    Constant,          // not passed, because it is always `value`
  } kind{};
  unsigned number = 0;
  int64_t value = 0;
};

class ProcessTypes {
 public:
  // `proc`: the mount point of procfs.
  explicit ProcessTypes(std::string proc = "/proc") : proc_(std::move(proc)) {}

  // The scope of one file, independent of any process; its `pid` is above all real pids. Valid as long as this object.
  ProcessScope of_file(const std::string& path);

  // Imports the type `name`: "struct x", "union x", "enum x" or a name without keyword, spelled as the compiler does;
  // C++ names may be qualified. Nothing if no object of the scope defines it.
  std::optional<TypeId> find(TypeTable& types, const ProcessScope& scope, std::string_view name);
  // An argument or a result.
  struct Passed {
    TypeId type;
    bool is_by_reference = false;  // a non-trivial C++ object: its address is passed
    bool is_rust = false;          // passed by Rust's own, unspecified calling convention
  };
  struct Parameter : Passed {
    std::string name;                           // may be empty
    std::optional<ParameterLocation> location;  // nothing if the compiler states none
  };
  struct Function {
    std::vector<Parameter> parameters;
    std::optional<Passed> result;  // nothing for void
    bool is_changed = false;       // the compiler changed its calling convention (DW_CC_nocall)
  };
  // The prototype of a function: `function` is the name of its symbol, `address` its virtual address in the object of
  // the scope. Nothing if the object has no DWARF for it.
  std::optional<Function> find_function(TypeTable& types, const ProcessScope& scope, std::string_view function,
                                        uint64_t address);
  // The source lines and variables of the object of the scope; null if it has no debug information. Valid as long as
  // this object.
  TracedCode* find_code(const ProcessScope& scope);
  // Imports the type of a variable that the object's TracedCode has found; nothing stands for void.
  TypeId import(TypeTable& types, const ProcessScope& scope, const std::optional<Dwarf_Die>& type);
  // Adds the members or enumerators of a type that find() returned or that such a type refers to.
  void complete(TypeTable& types, TypeId id);
  static bool owns(const Type& type) { return (type.origin & DwarfTypes::origin_mark) != 0; }
  // A message that explains why find() found no type; empty if types are readable and just the name is unknown.
  std::string why_missing(const ProcessScope& scope);

 private:
  Passed passed(TypeTable& types, const ProcessScope& scope, const Dwarf_Die& type);
  void describe(TypeTable& types, const ProcessScope& scope, const Dwarf_Die& code, uint64_t address,
                Function& function);
  struct Object {
    std::string path, other_name;
    bool is_opened = false;
    std::unique_ptr<DebugFile> file;  // null until it is opened, and if it has no type information
    std::unique_ptr<DieSearch> search;
    std::unique_ptr<TracedCode> code;  // null until it is asked for
    std::string_view name() const { return std::string_view{path}.substr(path.rfind('/') + 1); }
  };
  struct Process {
    std::vector<Object> objects;
    std::unordered_map<std::string, std::optional<Dwarf_Die>> found;  // by object and name
  };

  static bool is_file(uint32_t pid) { return pid >= first_file; }
  Process& process(uint32_t pid);
  std::string root_of(uint32_t pid) const;
  void open(uint32_t pid, Object& object);
  DwarfTypes& importer();
  std::optional<Dwarf_Die> find_entry(const ProcessScope& scope, const std::string& name);
  std::optional<Dwarf_Die> search(const ProcessScope& scope, const std::string& name);

  static constexpr uint32_t first_file = 1U << 31;

  std::string proc_;
  std::unordered_map<uint32_t, Process> processes_;  // by pid; files from first_file on
  std::vector<std::string> files_;                   // paths; file i has the pid first_file + i
  std::unique_ptr<DwarfTypes> types_;
};

}  // namespace dscope
