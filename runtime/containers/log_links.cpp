#include "runtime/containers/log_links.h"

#include <dirent.h>

#include <memory>
#include <string_view>

#include "runtime/containers/container_state.h"

namespace dscope {

namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

}  // namespace

void LogLinks::read() {
  links_.clear();
  std::unique_ptr<DIR, CloseDirectory> directory{::opendir(directory_.c_str())};
  if (!directory) return;
  while (const dirent* entry = ::readdir(directory.get())) {
    if (links_.size() >= max_links) return;
    std::string_view name = entry->d_name;
    size_t pod_end = name.find('_'), namespace_end = name.find('_', pod_end + 1), id_start = name.rfind('-');
    bool is_link = name.ends_with(".log") && pod_end != name.npos && namespace_end != name.npos &&
                   id_start != name.npos && id_start > namespace_end;
    if (!is_link) continue;
    std::string id{name.substr(id_start + 1, name.size() - id_start - 5)};
    links_[id] = {.pod = std::string{name.substr(0, pod_end)},
                  .pod_namespace = std::string{name.substr(pod_end + 1, namespace_end - pod_end - 1)},
                  .container = std::string{name.substr(namespace_end + 1, id_start - namespace_end - 1)}};
  }
}

void LogLinks::find(const std::string& id, ContainerNaming& names) {
  if (FileStamp stamp = stamp_of(directory_); stamp != stamp_) {
    stamp_ = stamp;
    read();
  }
  auto found = links_.find(id);
  if (found == links_.end()) return;
  auto set = [](std::string& name, const std::string& value) {
    if (name.empty()) name = value;
  };
  set(names.container, found->second.container);
  set(names.pod, found->second.pod);
  set(names.pod_namespace, found->second.pod_namespace);
}

}  // namespace dscope
