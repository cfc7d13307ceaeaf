// Reads from the path of a cgroup the container or the systemd unit that it belongs to. Recognizes the names that
// Docker, containerd, CRI-O, podman, Kubernetes, LXC and systemd give to cgroups, with either cgroup driver.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dscope {

enum class ContainerEngine : uint8_t {
  None,  // not in a container
  Docker,
  Containerd,  // also nerdctl
  Crio,
  Podman,
  Kubernetes,  // a container of a pod, without the name of its runtime
  Unknown,     // a container with an id, or one that is known by its name only
};

struct ContainerPath {
  ContainerEngine engine = ContainerEngine::None;
  std::string id;                 // of the container, 64 hexadecimal digits; empty: none
  std::string name;               // of containers without an id (LXC, systemd-nspawn, libvirt)
  std::string runtime_namespace;  // of containerd, if the path has it: "default", "moby"
  std::string pod_uid;            // of Kubernetes, with dashes
  std::string pod_id;             // of podman, 64 hexadecimal digits
  std::string unit;               // of systemd: "nginx.service", "session-3.scope"; of a slice if there is no other
  std::optional<uint32_t> user;   // whose systemd manages the container
};

// `path`: from the root of the hierarchy, as in /proc/PID/cgroup. May be anything.
ContainerPath parse_container_path(std::string_view path);

}  // namespace dscope
