// State files of container runtimes, names of the kubelet's links, and paths of cgroups: containers choose their
// content. The first byte chooses the kind.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "contract/probe_part.h"
#include "runtime/containers/container_state.h"
#include "tests/support/temporary_folder.h"

namespace {

const std::string id(64, 'a');

struct Kind {
  std::string file, cgroup;
};
const Kind kinds[] = {
    {"/var/lib/docker/containers/" + id + "/config.v2.json", "/docker/" + id},
    {"/run/containerd/io.containerd.runtime.v2.task/k8s.io/" + id + "/config.json", "/kubepods/pod0a1b/" + id},
    {"/run/containers/storage/overlay-containers/" + id + "/userdata/config.json",
     "/kubepods.slice/kubepods-pod0a1b_1.slice/crio-" + id + ".scope"},
    {"/var/lib/containers/storage/overlay-containers/containers.json", "/machine.slice/libpod-" + id + ".scope"},
};
constexpr size_t file_kinds = std::size(kinds), link_kind = file_kinds, path_kind = file_kinds + 1;

void check_names(const std::string& root, const std::string& cgroup) {
  dscope::ContainerNaming names = dscope::ContainerState{root}.names_of(cgroup);
  for (const std::string* name : {&names.container, &names.pod, &names.pod_namespace, &names.image})
    if (name->size() >= dscope::max_container_name_bytes) std::abort();
}

void read_link(const std::string& root, std::string name) {
  std::erase_if(name, [](char letter) { return letter == '/' || letter == '\0'; });
  std::filesystem::path link = root + "/var/log/containers/" + name.substr(0, 255);
  std::error_code ignored;
  std::filesystem::create_symlink("/nowhere", link, ignored);
  check_names(root, "/kubepods/pod0a1b/" + id);
  if (std::filesystem::is_symlink(link, ignored)) std::filesystem::remove(link, ignored);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const dscope::TemporaryFolder folder;
  static const std::string root = folder.path();
  if (size == 0) return 0;
  std::string content(reinterpret_cast<const char*>(data) + 1, size - 1);
  size_t number = data[0] % (path_kind + 1);
  if (number == path_kind) {
    check_names(root, content);
    return 0;
  }
  if (number == link_kind) {
    std::filesystem::create_directories(root + "/var/log/containers");
    read_link(root, std::move(content));
    return 0;
  }
  std::filesystem::path file = root + kinds[number].file;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << content;
  check_names(root, kinds[number].cgroup);
  std::filesystem::remove(file);
  return 0;
}
