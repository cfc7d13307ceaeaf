// LogLinks: the links that the kubelet makes for the logs of containers. Their names tell the pod, its namespace and
// the container: POD_NAMESPACE_CONTAINER-ID.log
#pragma once

#include <map>
#include <string>

#include "runtime/containers/bounded_file.h"

namespace dscope {

struct ContainerNaming;

class LogLinks {
 public:
  explicit LogLinks(std::string directory) : directory_(std::move(directory)) {}

  // Sets the names that are empty, if there is a link for the container `id`.
  void find(const std::string& id, ContainerNaming& names);

  static constexpr size_t max_links = 100'000;

 private:
  struct Link {
    std::string pod, pod_namespace, container;
  };

  void read();

  std::string directory_;
  FileStamp stamp_;
  std::map<std::string, Link> links_;  // by id
};

}  // namespace dscope
