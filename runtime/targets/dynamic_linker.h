// DynamicLinker: the dynamic linker of a process. For debuggers, it calls an empty function when it begins to map
// libraries and when all are mapped.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "runtime/elf/elf_symbols.h"
#include "support/fd.h"

namespace dscope {

struct DynamicLinker {
  std::unique_ptr<ElfSymbols> symbols;
  uint64_t base = 0;  // its load address in the process
  Fd file;            // open for reading
  static constexpr std::string_view debug_hook = "_dl_debug_state";

  // Nothing if the process has no dynamic linker or may not be inspected.
  static std::optional<DynamicLinker> find(pid_t pid);
  // Address of a symbol in the process.
  std::optional<uint64_t> address(std::string_view name) const;
  // Offset of a symbol in the file.
  std::optional<uint64_t> file_offset(std::string_view name) const;
};

// A value of the auxiliary vector of a process; `type` is one of AT_* in elf.h (getauxval(3)).
std::optional<uint64_t> auxiliary_value(pid_t pid, uint64_t type);

}  // namespace dscope
