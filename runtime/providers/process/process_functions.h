// ProcessFunctions: the objects that a process has mapped, and their functions, by the names of the pid provider.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contract/probe.h"
#include "contract/process_tools.h"
#include "runtime/elf/elf_symbols.h"
#include "runtime/elf/file_budget.h"
#include "runtime/elf/indirect_functions.h"
#include "runtime/elf/stapsdt_notes.h"
#include "runtime/providers/process/probed_files.h"
#include "support/fd.h"

namespace dscope {

struct ProcessObject {
  std::string name;                      // last part of the path
  std::string path;                      // in the mount namespace of the process
  std::vector<std::string> other_paths;  // other paths of the same file
  std::string device;                    // "08:01"; device and inode identify the file
  uint64_t inode = 0;
  bool is_program = false;  // the program that the process executes: a.out
  bool is_deleted = false;
  uint64_t start = 0, end = 0;  // addresses in the process, from byte `mapped_offset` of the file; 0: not mapped
  uint64_t mapped_offset = 0;

  // Loaded on demand:
  Fd opened;               // symbols, notes and code are read from this descriptor
  std::string probe_path;  // ProbedFiles::path_of(opened)
  std::unique_ptr<ElfSymbols> symbols;
  std::vector<ElfSymbols::Function> functions;
  std::optional<std::set<std::string_view>> versioned_names;  // of functions that lie at several offsets
  std::optional<IndirectSlots> indirect_slots;
  std::optional<bool> is_go;
  std::optional<uint64_t> code_bytes_left;  // for may_decode()
};

class ProcessFunctions {
 public:
  // Nothing if the process may not be inspected. `files` must outlive the result, in all functions.
  static std::optional<ProcessFunctions> open(uint32_t pid, ProbedFiles& files);
  // One file, independent of a process. Nothing if it is not a readable regular file.
  static std::optional<ProcessFunctions> of_file(const std::string& path, ProbedFiles& files);
  // As above; `path` only names the file that is open at `fd`.
  static ProcessFunctions of_open_file(Fd fd, const std::string& path, ProbedFiles& files);

  // Adds matching libraries that the process has not loaded but could load: the kernel attaches the probes when it maps
  // them. `module` is the field of a description: a path, or a name that is searched where the process would.
  void add_unloaded(const std::string& module);

  // Objects in order of address; the program first.
  size_t size() const { return objects_.size(); }
  const ProcessObject& object(size_t index) const { return objects_[index]; }

  // All function names, sorted by offset in the file, the best name of an address first. Valid as long as this object.
  const std::vector<ElfSymbols::Function>& functions(size_t index);
  // Addresses, sections and word size of the file.
  const ElfSymbols& symbols(size_t index);
  // The function that begins at `offset` of the file, by its best name; no name and size 0 if there is none.
  ElfSymbols::Function function_starting_at(size_t index, uint64_t offset);
  // Resolves an indirect function (ifunc) to the implementation that this process uses, if that is known; returns any
  // other function unchanged.
  ElfSymbols::Function implementation(size_t index, const ElfSymbols::Function& function);

  struct StaticProbe {
    StapsdtNote note;
    std::string function;                         // the function that contains it; empty if unknown
    int64_t stack_shift = 0;                      // added to offsets from the stack pointer in the note's operands
    const DefinedProvider* definition = nullptr;  // of its provider, if the object has one; owned by ProcessFunctions
    const DefinedProbe* defined_probe = nullptr;  // in `definition`; null if that has no such probe
  };
  // The static probes (USDT) of the object.
  const std::vector<StaticProbe>& static_probes(size_t index);
  // False if `address`, a virtual address of the object, lies inside an instruction, or in no function that the symbols
  // or unwind tables of the object name. Files of root may have unnamed code.
  bool is_instruction(size_t index, uint64_t address, ReadCode read_code);
  // True if the file can be opened; false if the process has ended since.
  bool can_read(size_t index) { return fd(index) >= 0; }
  // The user who owns the file of an object; nothing if it cannot be opened.
  std::optional<uid_t> owner(size_t index);
  // Closes the file of an object until it is needed again.
  void close(size_t index) { objects_[index].opened.reset(); }
  // The path for hooks: it leads to the very file that the probes were found in.
  const std::string& probe_path(size_t index);
  // True if stack unwinding, as by exceptions, may leave functions of the object. It requires intact return
  // addresses. A file is judged by its own tables, an object of a process by what the process has mapped.
  bool may_unwind(size_t index);
  // True if the object is a Go program.
  bool is_go(size_t index);
  // True if the processor checks return addresses of the process (shadow stacks), or if that is unknown.
  bool may_have_shadow_stack();
  // Counts `size` bytes of code that are about to be decoded. False if the object's functions overlap so much that more
  // than a multiple of its code, and more than 1 MiB, was decoded: decoding each of 20,000 overlapping functions would
  // take minutes.
  bool may_decode(size_t index, uint64_t size);
  // Bytes of the file; fewer than `size` at its end.
  std::vector<uint8_t> read(size_t index, uint64_t offset, size_t size);

  // True if the module field of a description matches the object: its name, its path, the name cut at a dot (libc for
  // libc.so.6), a pattern for one of those, a.out for the program; empty matches all.
  static bool is_named(const ProcessObject& object, std::string_view module);
  bool has_named(std::string_view module) const;

  // A hint for a function that matching objects lack, starting with "; ": a similar name, the compiler's copies, the
  // object that has it, or that the object is stripped; empty if there is none.
  std::string missing_function_hint(std::string_view module, std::string_view function);
  // The function of the matching objects whose name is most similar; empty if there is none. The text lives as long as
  // the objects.
  std::string_view nearest_function(std::string_view module, std::string_view function);
  // Names the copies, such as f.constprop.0, by which the compiler has replaced a function; empty if there are none.
  std::string compiler_copies_hint(std::string_view module, std::string_view function);
  // Names a matching object that is stripped; empty if there is none.
  std::string stripped_object_hint(std::string_view module);
  // Names the script that the process executes and its interpreter; empty if it executes no script.
  std::string script_hint() const;
  // The program and the objects of the process, for hints; empty if the process has ended.
  std::string summary() const;

 private:
  struct FoundProbes {
    std::vector<DefinedProvider> definitions;
    std::vector<StaticProbe> probes;
  };

  ProcessFunctions(uint32_t pid, ProbedFiles& files) : pid_(pid), files_(&files) {}
  ProcessObject* find_file(int fd);
  const IndirectSlots& indirect_slots(size_t index);
  bool has_versions(size_t index, std::string_view function);
  int fd(size_t index);
  std::unique_ptr<FoundProbes> find_static_probes(size_t index);
  uint64_t bias(size_t index);
  std::optional<uint64_t> pointer_at(size_t index, uint64_t address, size_t into);
  std::vector<StaticProbe> callers_of(size_t index, std::span<const StaticProbe> stubs);
  std::string function_around(size_t index, uint64_t address);
  std::span<const uint32_t> instruction_starts(size_t index, uint64_t begin, uint64_t distance, ReadCode read_code);

  uint32_t pid_;  // 0: a file
  ProbedFiles* files_;
  std::set<std::string> searched_modules_;  // by add_unloaded()
  std::optional<bool> may_unwind_, may_have_shadow_stack_;
  std::vector<ProcessObject> objects_;
  std::map<size_t, std::unique_ptr<FoundProbes>> static_probes_;                     // by object
  std::map<std::pair<size_t, uint64_t>, std::vector<uint32_t>> instruction_starts_;  // by object and file offset
};

}  // namespace dscope
