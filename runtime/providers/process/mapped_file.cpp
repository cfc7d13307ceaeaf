#include "runtime/providers/process/mapped_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "runtime/elf/debug_files.h"
#include "support/format.h"

namespace dscope {

namespace {

int64_t creation_time(const Fd& file) {
  struct statx status{};
  bool is_known =
      ::statx(file.get(), "", AT_EMPTY_PATH, STATX_BTIME, &status) == 0 && (status.stx_mask & STATX_BTIME) != 0;
  return is_known ? status.stx_btime.tv_sec * 1'000'000'000 + status.stx_btime.tv_nsec : 0;
}

}  // namespace

// The path alone proves nothing: another file may have replaced the mapped one, or be mounted over it in the namespace
// of the process. Devices are not compared: on overlayfs and btrfs, stat(2) reports others than maps.
Fd open_mapped_file(uint32_t pid, const Mapping& mapping) {
  if (Fd file = open_regular(fmt::format("/proc/{}/map_files/{:x}-{:x}", pid, mapping.start, mapping.end))) return file;
  if (mapping.is_deleted || !mapping.is_file()) return Fd{};
  Fd file = open_in_root(fmt::format("/proc/{}/root", pid), mapping.path);
  struct stat status{};
  bool is_mapped = file && ::fstat(file.get(), &status) == 0 && status.st_ino == mapping.inode;
  return is_mapped ? std::move(file) : Fd{};
}

std::optional<MappedFile> open_mapped_path(uint32_t pid, const std::string& path) {
  if (auto maps = ProcessMaps::read(pid))
    for (const Mapping& mapping : maps->mappings()) {
      if (mapping.path != path || !mapping.is_executable) continue;
      Fd file = open_mapped_file(pid, mapping);
      if (!file) continue;
      return MappedFile{
          .key = {mapping.device, mapping.inode}, .created_ns = creation_time(file), .opened = std::move(file)};
    }
  Fd file = open_regular(path);
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0) return std::nullopt;
  std::string device = fmt::format("{:02x}:{:02x}", major(status.st_dev), minor(status.st_dev));
  return MappedFile{
      .key = {std::move(device), status.st_ino}, .created_ns = creation_time(file), .opened = std::move(file)};
}

}  // namespace dscope
