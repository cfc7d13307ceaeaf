#include "runtime/providers/process/mapped_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "runtime/elf/debug_files.h"
#include "support/format.h"
#include "support/read_file.h"
#include "support/text/word_list.h"

namespace dscope {

namespace {

int64_t creation_time(const Fd& file) {
  struct statx status{};
  bool is_known =
      ::statx(file.get(), "", AT_EMPTY_PATH, STATX_BTIME, &status) == 0 && (status.stx_mask & STATX_BTIME) != 0;
  return is_known ? status.stx_btime.tv_sec * 1'000'000'000 + status.stx_btime.tv_nsec : 0;
}

// The user that is root in the user namespace of the process; nothing if there is none.
std::optional<uid_t> namespace_root(uint32_t pid) {
  std::string map = read_file(fmt::format("/proc/{}/uid_map", pid).c_str()).value_or("");
  for (std::string_view line : parts_of(map, "\n")) {
    uint32_t inside = 0, outside = 0;
    if (std::sscanf(std::string{line}.c_str(), "%u %u", &inside, &outside) == 2 && inside == 0) return outside;
  }
  return std::nullopt;
}

}  // namespace

bool trusts_owner(uint32_t pid, uid_t owner) {
  struct stat status{};
  if (owner == 0) return true;
  if (::stat(fmt::format("/proc/{}", pid).c_str(), &status) != 0) return false;
  return owner == status.st_uid || owner == namespace_root(pid);
}

std::optional<MappedFile> open_mapped_path(uint32_t pid, const std::string& path) {
  if (auto maps = ProcessMaps::read(pid))
    for (const Mapping& mapping : maps->mappings()) {
      if (mapping.path != path || !mapping.is_executable) continue;
      Fd file = open_mapped_file(pid, mapping);
      if (!file) return std::nullopt;
      return MappedFile{.key = {mapping.device, mapping.inode},
                        .created_ns = creation_time(file),
                        .opened = std::move(file),
                        .is_by_mapping = true};
    }
  Fd file = open_regular(path);
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0) return std::nullopt;
  std::string device = fmt::format("{:02x}:{:02x}", major(status.st_dev), minor(status.st_dev));
  return MappedFile{.key = {std::move(device), status.st_ino},
                    .created_ns = creation_time(file),
                    .opened = std::move(file),
                    .is_by_mapping = false};
}

}  // namespace dscope
