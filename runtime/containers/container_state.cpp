#include "runtime/containers/container_state.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "support/check.h"
#include "support/format.h"

namespace dscope {

namespace {

using Json = nlohmann::json;

constexpr size_t short_id_digits = 12;

// Never throws; damaged files become a value that has no members.
Json parsed(const std::optional<std::string>& text) {
  return text ? Json::parse(*text, nullptr, /*allow_exceptions=*/false) : Json{};
}

std::string text_in(const Json& object, const char* name) {
  if (!object.is_object()) return {};
  auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

const Json& member(const Json& object, const char* name) {
  static const Json none;
  auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() ? *found : none;
}

void set_if_empty(std::string& name, std::string value) {
  if (name.empty()) name = std::move(value);
}

// Annotations or labels of Kubernetes and of tools, by the runtimes that write them.
void read_labels(const Json& labels, ContainerNaming& names) {
  for (const char* key : {"io.kubernetes.cri.container-name", "io.kubernetes.container.name", "nerdctl/name",
                          "io.podman.annotations.container-name"})
    set_if_empty(names.container, text_in(labels, key));
  for (const char* key : {"io.kubernetes.cri.sandbox-name", "io.kubernetes.pod.name"})
    set_if_empty(names.pod, text_in(labels, key));
  for (const char* key : {"io.kubernetes.cri.sandbox-namespace", "io.kubernetes.pod.namespace"})
    set_if_empty(names.pod_namespace, text_in(labels, key));
  for (const char* key : {"io.kubernetes.cri.image-name", "io.kubernetes.cri-o.ImageName", "io.kubernetes.cri-o.Image",
                          "nerdctl/image-name"})
    set_if_empty(names.image, text_in(labels, key));
  // The container that holds the namespaces of a pod has no name of its own.
  bool is_sandbox = text_in(labels, "io.kubernetes.cri.container-type") == "sandbox" ||
                    text_in(labels, "io.kubernetes.cri-o.ContainerType") == "sandbox";
  if (is_sandbox) set_if_empty(names.container, "POD");
}

bool read_oci(const std::string& file, ContainerNaming& names) {
  auto text = read_bounded(file, ContainerState::max_file_bytes);
  if (!text) return false;
  read_labels(member(parsed(text), "annotations"), names);
  return true;
}

std::string cut(std::string name) {
  size_t size = std::min<size_t>(name.size(), max_container_name_bytes - 1);
  while (size < name.size() && size > 0 && (static_cast<unsigned char>(name[size]) & 0xc0) == 0x80) --size;
  name.resize(size);
  return name;
}

// "" if the user has none.
std::string home_of(uint32_t user) {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> buffer;
  bool has_home = ::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr;
  return has_home ? found->pw_dir : std::string{};
}

}  // namespace

const std::string& ContainerNaming::part(ContainerPart part) const {
  switch (part) {
    case ContainerPart::Container: return container;
    case ContainerPart::Pod: return pod;
    case ContainerPart::Namespace: return pod_namespace;
    case ContainerPart::Image: return image;
  }
  DS_UNREACHABLE();
}

bool ContainerState::read_docker(const std::string& id, ContainerNaming& names) const {
  auto text = read_bounded(fmt::format("{}/var/lib/docker/containers/{}/config.v2.json", root_, id), max_file_bytes);
  if (!text) return false;
  Json file = parsed(text);
  const Json& config = member(file, "Config");
  read_labels(member(config, "Labels"), names);
  std::string name = text_in(file, "Name");
  set_if_empty(names.container, name.starts_with('/') ? name.substr(1) : name);
  set_if_empty(names.image, text_in(config, "Image"));
  return true;
}

bool ContainerState::read_containerd(const ContainerPath& path, ContainerNaming& names) const {
  const std::string& id = path.id.empty() ? path.name : path.id;
  std::vector<std::string> namespaces = {"k8s.io", "default", "moby"};
  if (!path.runtime_namespace.empty()) namespaces.insert(namespaces.begin(), path.runtime_namespace);
  for (const char* state : {"/run/containerd", "/run/k3s/containerd"})
    for (const std::string& each : namespaces)
      if (read_oci(fmt::format("{}{}/io.containerd.runtime.v2.task/{}/{}/config.json", root_, state, each, id), names))
        return true;
  return false;
}

bool ContainerState::read_crio(const std::string& id, ContainerNaming& names) const {
  for (const char* storage : {"/run/containers/storage", "/var/lib/containers/storage"})
    if (read_oci(fmt::format("{}{}/overlay-containers/{}/userdata/config.json", root_, storage, id), names) &&
        !names.container.empty())
      return true;
  return false;
}

bool ContainerState::find_in_list(const std::string& file, const std::string& id, ContainerNaming& names) {
  StoredList& list = lists_[file];
  if (FileStamp stamp = stamp_of(file); stamp != list.stamp) {
    list = {.stamp = stamp, .by_id = {}};
    for (const Json& entry : parsed(read_bounded(file, max_list_bytes))) {
      std::string entry_id = text_in(entry, "id");
      if (entry_id.empty()) continue;
      Json metadata = parsed(text_in(entry, "metadata"));
      ContainerNaming& stored = list.by_id[entry_id];
      const Json& all_names = member(entry, "names");
      if (all_names.is_array() && !all_names.empty() && all_names.front().is_string())
        stored.container = all_names.front().get<std::string>();
      set_if_empty(stored.container, text_in(metadata, "name"));
      set_if_empty(stored.image, text_in(metadata, "image-name"));
    }
  }
  auto found = list.by_id.find(id);
  if (found == list.by_id.end()) return false;
  set_if_empty(names.container, found->second.container);
  set_if_empty(names.image, found->second.image);
  return true;
}

bool ContainerState::read_podman(const ContainerPath& path, ContainerNaming& names) {
  std::string storage = root_ + "/var/lib/containers/storage";
  if (path.user) {
    std::string home = home_of(*path.user);
    if (!home.empty()) storage = root_ + home + "/.local/share/containers/storage";
  }
  for (const char* driver : {"overlay", "vfs", "btrfs"})
    for (const char* file : {"containers.json", "volatile-containers.json"})
      if (find_in_list(fmt::format("{}/{}-containers/{}", storage, driver, file), path.id, names)) return true;
  return false;
}

bool ContainerState::find_by_id(const ContainerPath& path, ContainerNaming& names) {
  switch (path.engine) {
    case ContainerEngine::None: return false;
    case ContainerEngine::Docker: return read_docker(path.id, names);
    case ContainerEngine::Containerd: return read_containerd(path, names);
    case ContainerEngine::Crio: return read_crio(path.id, names);
    case ContainerEngine::Podman: return read_podman(path, names);
    case ContainerEngine::Kubernetes:
      return read_containerd(path, names) || read_crio(path.id, names) || read_docker(path.id, names);
    case ContainerEngine::Unknown: break;
  }
  return !path.id.empty() && (read_docker(path.id, names) || read_containerd(path, names) || read_podman(path, names) ||
                              read_crio(path.id, names));
}

ContainerNaming ContainerState::names_of(const std::string& cgroup_path) {
  ContainerPath path = parse_container_path(cgroup_path);
  ContainerNaming names;
  bool is_known = find_by_id(path, names);
  names.is_final = is_known || path.id.empty();
  bool is_container = is_known || !path.id.empty() || path.engine == ContainerEngine::Unknown;
  if (!path.id.empty() && (names.container.empty() || names.pod.empty())) links_.find(path.id, names);
  if (is_container) {
    set_if_empty(names.container, path.name.empty() ? path.id.substr(0, short_id_digits) : path.name);
    set_if_empty(names.pod, path.pod_uid.empty() ? path.pod_id.substr(0, short_id_digits) : path.pod_uid);
  } else {
    set_if_empty(names.container, path.unit.empty() && cgroup_path != "/" ? cgroup_path : path.unit);
  }
  for (std::string* name : {&names.container, &names.pod, &names.pod_namespace, &names.image})
    *name = cut(std::move(*name));
  return names;
}

}  // namespace dscope
