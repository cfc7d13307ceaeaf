#include "runtime/elf/build_id.h"

#include <cstring>

#include "runtime/elf/bounded_elf.h"
#include "runtime/elf/debug_files.h"
#include "runtime/elf/process_maps.h"
#include "support/format.h"

namespace dscope {

std::string read_build_id(int fd) {
  FileBudget budget(fd);
  ElfHandle elf = open_elf(fd, budget);
  return elf ? read_debug_reference(elf.get(), budget).build_id : std::string();
}

std::string running_kernel_build_id() { return build_id_in_notes(read_small_file("/sys/kernel/notes")); }

std::string build_id_in_notes(std::string_view notes) {
  constexpr uint32_t build_id_type = 3;  // NT_GNU_BUILD_ID
  struct Header {
    uint32_t owner_size, content_size, type;
  } header{};
  auto padded = [](uint64_t size) { return (size + 3) / 4 * 4; };
  while (notes.size() >= sizeof header) {
    std::memcpy(&header, notes.data(), sizeof header);
    notes.remove_prefix(sizeof header);
    uint64_t owner = padded(header.owner_size), content = padded(header.content_size);
    if (owner + content > notes.size()) return {};
    if (header.type == build_id_type && notes.starts_with(std::string_view{"GNU", sizeof "GNU"})) {
      std::string text;
      for (unsigned char byte : notes.substr(owner, header.content_size)) text += fmt::format("{:02x}", byte);
      return text;
    }
    notes.remove_prefix(static_cast<size_t>(owner + content));
  }
  return {};
}

}  // namespace dscope
