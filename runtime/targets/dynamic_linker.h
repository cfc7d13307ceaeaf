// DynamicLinker: the one that a process was started with. It calls an empty function when it begins to map libraries
// and when all are mapped, for debuggers.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/elf/elf_symbols.h"

namespace dscope {

struct DynamicLinker {
  std::unique_ptr<ElfSymbols> symbols;
  uint64_t base = 0;  // where it is
  std::string file;   // that we can open
  static constexpr std::string_view debug_hook = "_dl_debug_state";

  // Nothing if the process has none, or cannot be looked at.
  static std::optional<DynamicLinker> find(pid_t pid);
  // Of a symbol, in the process.
  std::optional<uint64_t> address(std::string_view name) const;
  // Of a symbol, in the file.
  std::optional<uint64_t> file_offset(std::string_view name) const;
};

// A value that the kernel has told the program of a process when it began: AT_ of elf.h.
std::optional<uint64_t> auxiliary_value(pid_t pid, uint64_t type);

}  // namespace dscope
