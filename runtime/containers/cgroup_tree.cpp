#include "runtime/containers/cgroup_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/stat.h>

#include <cstring>

#include "support/fd.h"
#include "support/read_file.h"
#include "support/text/word_list.h"

namespace dscope {

namespace {

constexpr int max_depth = 64;

// Walks the directories below one. Their inode numbers are the ids of the cgroups.
class Walk {
 public:
  explicit Walk(const CgroupTree::Visitor& visit) : visit_(visit) {}

  void walk(int parent, const char* name, const std::string& path, int depth) {
    Fd fd{::openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)};
    struct stat status{};
    if (!fd || ::fstat(fd.get(), &status) != 0 || count_++ >= CgroupTree::max_cgroups) return;
    visit_(status.st_ino, path.empty() ? "/" : path);
    if (depth >= max_depth) return;
    int own = fd.release();
    DIR* directory = ::fdopendir(own);
    if (directory == nullptr) return;
    while (const dirent* entry = ::readdir(directory)) {
      if (entry->d_type != DT_DIR || entry->d_name[0] == '.') continue;
      walk(own, entry->d_name, path + "/" + entry->d_name, depth + 1);
    }
    ::closedir(directory);
  }

 private:
  const CgroupTree::Visitor& visit_;
  size_t count_ = 0;
};

std::unique_ptr<PerfRings> watch_cgroups() {
  constexpr size_t ring_bytes = size_t{64} << 10;
  perf_event_attr attr{};
  attr.cgroup = 1;
  attr.bpf_event = 1;  // the kernel looks only at events that ask for one of its older kinds of records
  return PerfRings::open(attr, /*wakes=*/true, ring_bytes);
}

}  // namespace

// "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw"
std::string find_cgroup_mount() {
  std::string mounts = read_file("/proc/self/mountinfo").value_or("");
  for (std::string_view line : parts_of(mounts, "\n")) {
    size_t separator = line.find(" - ");
    if (separator == line.npos || !line.substr(separator + 3).starts_with("cgroup2 ")) continue;
    std::vector<std::string_view> fields = words_of(line.substr(0, separator));
    if (fields.size() > 4) return std::string{fields[4]};
  }
  return {};
}

CgroupTree::CgroupTree(std::string directory, bool is_watching) : directory_(std::move(directory)) {
  if (is_watching) rings_ = watch_cgroups();
}

void CgroupTree::visit_existing(const Visitor& visit) const {
  if (!directory_.empty()) Walk{visit}.walk(AT_FDCWD, directory_.c_str(), "", 0);
}

void CgroupTree::visit_created(const Visitor& visit) {
  if (!rings_) return;
  rings_->take([&](const perf_event_header& header, std::string_view body) {
    constexpr uint32_t record_cgroup = 19;  // PERF_RECORD_CGROUP, Linux 5.7
    uint64_t id = 0;
    if (header.type != record_cgroup || body.size() <= sizeof id) return;
    std::memcpy(&id, body.data(), sizeof id);
    body.remove_prefix(sizeof id);
    visit(id, std::string{body.substr(0, body.find('\0'))});
  });
}

}  // namespace dscope
