// ProcessTypes: the types of running processes, by what their executables and libraries describe. Answers `pid123`foo`:
// the executable is asked first, then the libraries in the order in which they lie in memory. Files that no process is
// named for have types as well.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "contract/type.h"
#include "runtime/dwarf/dwarf_types.h"

namespace dscope {

// The process and, if one is named, the object of a module name as D has it: "pid123", "pid123`libc.so.6".
struct ProcessScope {
  uint32_t pid = 0;
  std::string_view object;  // empty: all objects
  // Nothing if `module` does not begin with "pid" and a number.
  static std::optional<ProcessScope> parse(std::string_view module);
};

// Where a parameter is when its function is entered, as the compiler says of the code that it has made.
struct EntryPlace {
  enum class Kind : uint8_t {
    Register,              // `number`, as DWARF counts
    Behind,                // in memory, at the address in register `number`
    BehindIntegerAddress,  // in memory, at the address that is passed in its stead
    Constant,              // nothing is passed: it is always `value`
  } kind{};
  unsigned number = 0;
  int64_t value = 0;
};

class ProcessTypes {
 public:
  // `proc`: where processes are described.
  explicit ProcessTypes(std::string proc = "/proc") : proc_(std::move(proc)) {}

  // The scope of one file, whoever maps it; of a number that no process has. Valid as long as this is.
  ProcessScope of_file(const std::string& path);

  // "struct x", "union x", "enum x" or a name without keyword, as compilers write it; C++ names may be qualified.
  std::optional<TypeId> find(TypeTable& types, const ProcessScope& scope, std::string_view name);
  // What a function takes and returns. `function` as its symbol is called, `address` where it begins in the object of
  // the scope. Nothing if it is not described.
  // An argument or a result.
  struct Passed {
    TypeId type;
    bool is_by_reference = false;  // an object of C++ that only its constructors can copy: its address is passed
    bool is_rust = false;          // by Rust's own rules
  };
  struct Parameter : Passed {
    std::string name;  // may be empty
    std::optional<EntryPlace> place;
  };
  struct Function {
    std::vector<Parameter> parameters;
    std::optional<Passed> result;  // nothing: it returns nothing
    bool is_changed = false;       // the compiler has given it other parameters than are written
  };
  std::optional<Function> find_function(TypeTable& types, const ProcessScope& scope, std::string_view function,
                                        uint64_t address);
  // Fills in members or enumerators of a type that find() gave or led to.
  void complete(TypeTable& types, TypeId id);
  static bool owns(const Type& type) { return (type.origin & DwarfTypes::origin_mark) != 0; }
  // Why no type was found, in one sentence; empty if only the name is wrong.
  std::string why_missing(const ProcessScope& scope);

 private:
  Passed passed(TypeTable& types, const ProcessScope& scope, const Dwarf_Die& type);
  void describe(TypeTable& types, const ProcessScope& scope, const Dwarf_Die& code, uint64_t address,
                Function& function);
  struct Object {
    std::string path, other_name;
    bool is_opened = false;
    std::unique_ptr<DebugFile> file;  // null: not opened yet, or without type information
    std::unique_ptr<DieSearch> search;
    std::string_view name() const { return std::string_view{path}.substr(path.rfind('/') + 1); }
  };
  struct Process {
    std::vector<Object> objects;
    std::unordered_map<std::string, std::optional<Dwarf_Die>> found;  // by object and name
  };

  static bool is_file(uint32_t pid) { return pid >= first_file; }
  Process& process(uint32_t pid);
  void open(uint32_t pid, Object& object);
  DwarfTypes& importer();
  std::optional<Dwarf_Die> find_entry(const ProcessScope& scope, const std::string& name);
  std::optional<Dwarf_Die> search(const ProcessScope& scope, const std::string& name);

  static constexpr uint32_t first_file = 1U << 31;

  std::string proc_;
  std::unordered_map<uint32_t, Process> processes_;  // and files
  std::vector<std::string> files_;                   // paths; the first one has the number first_file
  std::unique_ptr<DwarfTypes> types_;
};

}  // namespace dscope
