// ProcessFunctions: the objects a process has mapped and the functions in them, as the pid provider names them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contract/probe.h"
#include "runtime/elf/elf_symbols.h"
#include "runtime/elf/stapsdt_notes.h"
#include "support/fd.h"

namespace dscope {

struct ProcessObject {
  std::string name;                      // last part of the path
  std::string path;                      // as the process has it
  std::vector<std::string> other_paths;  // to the same file
  std::string file;    // the same file as we can open it: it may be deleted, or in another file system tree
  std::string device;  // "08:01", with the inode what tells files apart
  uint64_t inode = 0;
  bool is_program = false;  // what the process executes: a.out
  uint64_t start = 0;       // where the byte `mapped_offset` of the file is in the process; 0: it is not
  uint64_t mapped_offset = 0;
  // Not there until asked for:
  Fd opened;
  std::unique_ptr<ElfSymbols> symbols;
  std::vector<ElfSymbols::Function> functions;
};

class ProcessFunctions {
 public:
  // Nothing if the process cannot be looked at.
  static std::optional<ProcessFunctions> open(uint32_t pid);
  // One file, whoever maps it. Nothing if it is no regular file that we can read.
  static std::optional<ProcessFunctions> of_file(const std::string& path);

  // Adds libraries of that name which the process has not loaded, but could: the kernel probes them as soon as it does.
  // `module` as in descriptions: a path, or a name that is looked for where the process would.
  void add_unloaded(const std::string& module);

  // In the order of their addresses; the program first.
  size_t size() const { return objects_.size(); }
  const ProcessObject& object(size_t index) const { return objects_[index]; }
  // All names, by offset in the file, the best name of an address first. Valid as long as this is.
  const std::vector<ElfSymbols::Function>& functions(size_t index);
  // What else the file tells: addresses, sections, word size.
  const ElfSymbols& symbols(size_t index);
  // The best name of the function that begins at this offset of the file; empty: none does.
  std::string_view function_at(size_t index, uint64_t offset);
  // The function that is executed: the one that an indirect one stands for in this process, if that is known; any other
  // as it is.
  ElfSymbols::Function implementation(size_t index, const ElfSymbols::Function& function);
  // Its static probes, with the functions they are in.
  struct StaticProbe {
    StapsdtNote note;
    std::string function;     // empty: in none that is known
    int64_t stack_shift = 0;  // what is at sp + n when the instruction of the note runs is at sp + n + this here
    const DefinedProvider* definition = nullptr;  // of its provider, if the object has one; lives as long as this
  };
  const std::vector<StaticProbe>& static_probes(size_t index);
  // Whether its file can be opened: not if the process has ended meanwhile.
  bool can_read(size_t index) { return fd(index) >= 0; }
  // Whether functions of the object may be left by unwinding the stack, as exceptions do, which needs their return
  // addresses as they are. Of a file of no process, by its own tables; in a process, by what it has mapped.
  bool may_unwind(size_t index);
  // Bytes of the file; shorter than asked for at its end.
  std::vector<uint8_t> read(size_t index, uint64_t offset, size_t size);

  // Whether the module field of a description names the object: its name, its path, the name cut at a dot (libc for
  // libc.so.6), a pattern for one of those, a.out for the program; empty: all.
  static bool is_named(const ProcessObject& object, std::string_view module);
  bool has_named(std::string_view module) const;
  // "; did you mean `malloc`?" if an object of that name has such a function, which other object has it, or that names
  // are missing; else empty.
  std::string other_functions(std::string_view module, std::string_view function);
  // What a compiler has made of a function that is no longer there by its own name: f.constprop.0; empty: nothing.
  std::string copies_of(std::string_view module, std::string_view function);
  // Which object of that name has lost the names of its functions; empty: none has.
  std::string missing_names(std::string_view module);
  // What process that is and which objects it has, for hints; empty if it is gone.
  std::string summary() const;

 private:
  struct FoundProbes {
    std::vector<DefinedProvider> definitions;
    std::vector<StaticProbe> probes;
  };

  explicit ProcessFunctions(uint32_t pid) : pid_(pid) {}
  ProcessObject* find_file(int fd);
  int fd(size_t index);
  std::unique_ptr<FoundProbes> find_static_probes(size_t index);
  uint64_t bias(size_t index);
  std::optional<uint64_t> pointer_at(size_t index, uint64_t address, size_t into);
  std::vector<StaticProbe> callers_of(size_t index, std::span<const StaticProbe> stubs);
  std::string function_around(size_t index, uint64_t address);

  uint32_t pid_;                      // 0: of no process
  std::set<std::string> looked_for_;  // modules
  std::optional<bool> may_unwind_;
  std::vector<ProcessObject> objects_;
  std::map<size_t, std::unique_ptr<FoundProbes>> static_probes_;  // by object
};

// A sentence on what keeps open() from looking at the process.
std::string why_not_open(uint32_t pid);

// The numbers of all processes, ascending, but for this one.
std::vector<uint32_t> running_processes();

// The processes that descriptions named.
class KnownProcesses {
 public:
  // Looked at once; null if that is not possible.
  ProcessFunctions* open(uint32_t pid);
  // The description with the name that probes of the object have, if its module is another name of one. Only of
  // processes that were opened.
  ProbeDescription as_published(uint32_t pid, ProbeDescription description) const;
  // Those that could be opened.
  std::vector<uint32_t> pids() const;
  // From now on `process` has what `pid`, itself or a child, has mapped now.
  void renew(uint32_t process, uint32_t pid) { processes_[process] = ProcessFunctions::open(pid); }

 private:
  std::map<uint32_t, std::optional<ProcessFunctions>> processes_;
};

}  // namespace dscope
