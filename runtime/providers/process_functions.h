// ProcessFunctions: the objects a process has mapped and the functions in them, as the pid provider names them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/host.h"
#include "runtime/symbols/elf_symbols.h"
#include "runtime/symbols/stapsdt_notes.h"

namespace dscope {

struct ProcessObject {
  std::string name;         // last part of the path
  std::string path;         // as the process has it
  std::string file;         // the same file as we can open it: it may be deleted, or in another file system tree
  bool is_program = false;  // what the process executes: a.out
  std::unique_ptr<ElfSymbols> symbols;  // null until asked for
};

class ProcessFunctions {
 public:
  // The error says why the process cannot be looked at.
  static std::optional<ProcessFunctions> open(uint32_t pid);

  // In the order of their addresses; the program first.
  size_t size() const { return objects_.size(); }
  const ProcessObject& object(size_t index) const { return objects_[index]; }
  // All names, by offset in the file, the best name of an address first.
  std::vector<ElfSymbols::Function> functions(size_t index);
  // Its static probes, with the functions they are in.
  struct StaticProbe {
    StapsdtNote note;
    std::string function;  // empty: in none that is known
  };
  std::vector<StaticProbe> static_probes(size_t index);
  // Bytes of the file; shorter than asked for at its end.
  std::vector<uint8_t> read(size_t index, uint64_t offset, size_t size) const;

  // Whether the module field of a description names the object: its name, its path, the name cut at a dot (libc for
  // libc.so.6), a pattern for one of those, a.out for the program; empty: all.
  static bool is_named(const ProcessObject& object, std::string_view module);

 private:
  explicit ProcessFunctions(uint32_t pid) : pid_(pid) {}

  uint32_t pid_;
  std::vector<ProcessObject> objects_;
};

// The processes that descriptions named.
class KnownProcesses {
 public:
  // Looked at once; null if that is not possible.
  ProcessFunctions* open(uint32_t pid);
  // The description with the name that probes of the object have, if its module is another name of one. Only of
  // processes that were opened.
  ProbeDescription as_published(uint32_t pid, ProbeDescription description) const;

 private:
  std::map<uint32_t, std::optional<ProcessFunctions>> processes_;
};

}  // namespace dscope
