// The root is opened once per process. A failure is cached, too.
#include "runtime/kernel/tracefs.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "runtime/kernel/machine_record.h"
#include "support/fd.h"
#include "support/read_file.h"

namespace dscope {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

// Where tracefs is not mounted, /sys/kernel/tracing exists but is empty.
Fd open_mounted(const char* path) {
  Fd root{::open(path, O_PATH | O_DIRECTORY | O_CLOEXEC)};
  if (root && ::faccessat(root.get(), "events", F_OK, 0) != 0 && errno == ENOENT) root.reset();
  return root;
}

// A mount that exists only as long as its descriptor. Uses syscall(2), because the C library may be older than these
// system calls.
Result<Fd> mount_detached() {
  Fd context{static_cast<int>(::syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC))};
  if (!context) return fail(Error::from_errno(errno, "tracefs is not mounted and cannot be opened"));
  if (::syscall(SYS_fsconfig, context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0)
    return fail(Error::from_errno(errno, "tracefs is not mounted and cannot be made"));
  Fd mount{static_cast<int>(::syscall(SYS_fsmount, context.get(), FSMOUNT_CLOEXEC, 0))};
  if (!mount) return fail(Error::from_errno(errno, "tracefs is not mounted and cannot be mounted"));
  return mount;
}

Result<Fd> open_root() {
  for (const char* path : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"})
    if (Fd root = open_mounted(path)) return root;
  return mount_detached();
}

Result<std::string> read_recorded(const MachineRecord& record, const std::string& path) {
  auto file = record.files.find(std::string{recorded_tracefs} + path);
  if (file == record.files.end()) return fail(Error::make("the facts file has no `{}`", path));
  return file->second;
}

Result<std::vector<std::string>> list_recorded(const MachineRecord& record, const std::string& directory) {
  std::string prefix = fmt::format("{}{}/", recorded_tracefs, directory);
  std::vector<std::string> names;
  for (auto file = record.files.lower_bound(prefix); file != record.files.end(); ++file) {
    std::string_view rest = file->first;
    if (!rest.starts_with(prefix)) break;
    rest.remove_prefix(prefix.size());
    std::string_view name = rest.substr(0, rest.find('/'));
    if (names.empty() || names.back() != name) names.emplace_back(name);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

Result<int> tracefs_root() {
  static const Result<Fd> root = open_root();
  if (!root) return fail(Error{root.error()}.hint("mount it: `mount -t tracefs none /sys/kernel/tracing`, as root"));
  return root->get();
}

Result<std::string> read_tracefs(const std::string& path) {
  if (const MachineRecord* record = recorded_machine()) return read_recorded(*record, path);
  DS_TRY(int root, tracefs_root());
  auto text = read_file_at(root, path.c_str());
  int error_number = text ? 0 : text.error().error_number();
  if (error_number != EACCES && error_number != EPERM) return text;
  return fail(Error::make("not permitted: tracefs is not readable: cannot open `{}`", path)
                  .hint("run dscope as root, or let its group read tracefs: `mount -o remount,gid=GROUP,mode=750 "
                        "/sys/kernel/tracing`"));
}

Result<std::vector<std::string>> list_tracefs(const std::string& directory) {
  if (const MachineRecord* record = recorded_machine()) return list_recorded(*record, directory);
  DS_TRY(int root, tracefs_root());
  Fd fd{::openat(root, directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!fd) return fail(Error::from_errno(errno, "tracefs: cannot open `{}`", directory));
  std::unique_ptr<DIR, CloseDirectory> stream{::fdopendir(fd.get())};
  if (!stream) return fail(Error::from_errno(errno, "tracefs: cannot list `{}`", directory));
  fd.release();  // the stream closes it
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(stream.get())) {
    std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<uint64_t> read_tracepoint_id(std::string_view category, std::string_view name) {
  DS_TRY(std::string text, read_tracefs(fmt::format("events/{}/{}/id", category, name)));
  uint64_t id = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), id).ec != std::errc{})
    return fail(Error::make("tracepoint `{}:{}` has no number in tracefs", category, name));
  return id;
}

}  // namespace dscope
