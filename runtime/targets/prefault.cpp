#include "runtime/targets/prefault.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <vector>

#include "runtime/elf/process_maps.h"
#include "support/fd.h"
#include "support/format.h"

namespace dscope {
namespace {

// Reading this much takes about 10 ms. Copies of constants beyond the limit may fault.
constexpr uint64_t max_bytes = uint64_t{64} << 20;
constexpr size_t chunk_size = size_t{256} << 10;

using FileId = std::pair<std::string, uint64_t>;  // device, inode

// Files without executable mappings are devices or data, which may be as large as a disk.
std::set<FileId> executed_files(const ProcessMaps& maps) {
  std::set<FileId> files;
  for (const Mapping& mapping : maps.mappings())
    if (mapping.is_file() && mapping.is_executable && !mapping.path.starts_with("/dev/"))
      files.emplace(mapping.device, mapping.inode);
  return files;
}

}  // namespace

void prefault_mapped_files(uint32_t pid) {
  auto maps = ProcessMaps::read(pid);
  Fd memory{::open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDONLY | O_CLOEXEC)};
  if (!maps || !memory) return;
  std::set<FileId> files = executed_files(*maps);
  std::vector<char> buffer(chunk_size);
  uint64_t left = max_bytes;
  for (const Mapping& mapping : maps->mappings()) {
    if (!mapping.is_file() || !files.contains({mapping.device, mapping.inode})) continue;
    for (uint64_t at = mapping.start; at < mapping.end && left > 0;) {
      size_t size = static_cast<size_t>(std::min<uint64_t>({chunk_size, mapping.end - at, left}));
      // A read through /proc/PID/mem faults the pages in.
      ssize_t got = ::pread(memory.get(), buffer.data(), size, static_cast<off_t>(at));
      if (got <= 0) break;
      at += static_cast<uint64_t>(got);
      left -= static_cast<uint64_t>(got);
    }
  }
}

}  // namespace dscope
