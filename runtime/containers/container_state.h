// ContainerState: the names of containers, from the files that container runtimes and the kubelet keep on this machine.
// Needs no connection to a daemon or an API server.
//
//   Docker       /var/lib/docker/containers/ID/config.v2.json
//   containerd   /run/containerd/io.containerd.runtime.v2.task/NAMESPACE/ID/config.json (OCI, annotations), also of k3s
//   CRI-O        /run/containers/storage/overlay-containers/ID/userdata/config.json
//   podman       /var/lib/containers/storage/overlay-containers/containers.json, also in homes of users
//   kubelet      the names of the links /var/log/containers/POD_NAMESPACE_CONTAINER-ID.log
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "contract/probe_part.h"
#include "runtime/containers/bounded_file.h"
#include "runtime/containers/container_path.h"
#include "runtime/containers/log_links.h"

namespace dscope {

// Empty: has none, or it is not known.
struct ContainerNaming {
  std::string container, pod, pod_namespace, image;
  bool is_final = true;  // false: files of the container were not there, and may be written soon

  const std::string& part(ContainerPart part) const;
};

class ContainerState {
 public:
  // `root` precedes all paths; "" for this machine, another directory for tests.
  explicit ContainerState(std::string root) : root_(std::move(root)), links_(root_ + "/var/log/containers") {}

  // The names for the cgroup with this path. A container without state files is named by the first 12 digits of its
  // id, a service of systemd by its unit, any other cgroup by its path.
  ContainerNaming names_of(const std::string& cgroup_path);

  static constexpr size_t max_file_bytes = size_t{1} << 20;
  static constexpr size_t max_list_bytes = size_t{8} << 20;  // of podman's list of all containers

 private:
  struct StoredList {
    FileStamp stamp;
    std::map<std::string, ContainerNaming, std::less<>> by_id;
  };

  bool find_by_id(const ContainerPath& path, ContainerNaming& names);
  bool read_docker(const std::string& id, ContainerNaming& names) const;
  bool read_containerd(const ContainerPath& path, ContainerNaming& names) const;
  bool read_crio(const std::string& id, ContainerNaming& names) const;
  bool read_podman(const ContainerPath& path, ContainerNaming& names);
  bool find_in_list(const std::string& file, const std::string& id, ContainerNaming& names);

  std::string root_;
  std::map<std::string, StoredList> lists_;  // by file
  LogLinks links_;
};

}  // namespace dscope
