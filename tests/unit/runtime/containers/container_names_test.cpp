#include "runtime/containers/container_names.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/format.h"

namespace dscope {
namespace {

const std::string id = "0123456789ab" + std::string(52, 'c');

// A directory with cgroups and with the files of runtimes.
class ContainerNamesTest : public testing::Test {
 protected:
  ContainerNamesTest() {
    std::string pattern = testing::TempDir() + "containers.XXXXXX";
    root_ = ::mkdtemp(pattern.data());
    std::filesystem::create_directories(cgroups());
  }
  ~ContainerNamesTest() override { std::filesystem::remove_all(root_); }

  std::string cgroups() const { return root_ + "/cgroups"; }

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }

  // Returns the id of the cgroup.
  uint64_t make_cgroup(const std::string& path) const {
    std::filesystem::create_directories(cgroups() + path);
    struct stat status{};
    ::stat((cgroups() + path).c_str(), &status);
    return status.st_ino;
  }

  std::string names_of(const std::string& path) const {
    ContainerNaming names = ContainerState{root_}.names_of(path);
    return fmt::format("{}|{}|{}|{}", names.container, names.pod, names.pod_namespace, names.image);
  }

  std::string root_;
};

TEST_F(ContainerNamesTest, Docker) {
  write("/var/lib/docker/containers/" + id + "/config.v2.json",
        R"({"Name": "/web", "Config": {"Image": "nginx:1.27", "Labels": {"a": "b"}}})");
  EXPECT_EQ(names_of("/system.slice/docker-" + id + ".scope"), "web|||nginx:1.27");
  EXPECT_EQ(names_of("/docker/" + id), "web|||nginx:1.27");
}

TEST_F(ContainerNamesTest, DockerOfKubernetes) {
  write("/var/lib/docker/containers/" + id + "/config.v2.json",
        R"({"Name": "/k8s_app_web-1_shop_uid_0", "Config": {"Image": "sha256:1", "Labels": {
          "io.kubernetes.container.name": "app", "io.kubernetes.pod.name": "web-1",
          "io.kubernetes.pod.namespace": "shop"}}})");
  EXPECT_EQ(names_of("/kubepods/burstable/pod0a1b2c3d-0001/" + id), "app|web-1|shop|sha256:1");
}

TEST_F(ContainerNamesTest, Containerd) {
  write("/run/containerd/io.containerd.runtime.v2.task/k8s.io/" + id + "/config.json",
        R"({"annotations": {"io.kubernetes.cri.container-name": "app", "io.kubernetes.cri.sandbox-name": "web-1",
          "io.kubernetes.cri.sandbox-namespace": "shop", "io.kubernetes.cri.image-name": "registry/app:2"}})");
  EXPECT_EQ(names_of("/kubepods.slice/kubepods-pod0a1b2c3d_0001.slice/cri-containerd-" + id + ".scope"),
            "app|web-1|shop|registry/app:2");
  write("/run/containerd/io.containerd.runtime.v2.task/default/redis/config.json", R"({"annotations": {}})");
  EXPECT_EQ(names_of("/default/redis"), "redis|||");
  EXPECT_EQ(names_of("/default/absent"), "/default/absent|||");
}

TEST_F(ContainerNamesTest, SandboxesOfPods) {
  write("/run/containerd/io.containerd.runtime.v2.task/k8s.io/" + id + "/config.json",
        R"({"annotations": {"io.kubernetes.cri.container-type": "sandbox", "io.kubernetes.cri.sandbox-name": "web-1",
          "io.kubernetes.cri.sandbox-namespace": "shop"}})");
  EXPECT_EQ(names_of("/kubepods/pod0a1b2c3d-0001/" + id), "POD|web-1|shop|");
}

TEST_F(ContainerNamesTest, Crio) {
  write("/run/containers/storage/overlay-containers/" + id + "/userdata/config.json",
        R"({"annotations": {"io.kubernetes.container.name": "app", "io.kubernetes.pod.name": "web-1",
          "io.kubernetes.pod.namespace": "shop", "io.kubernetes.cri-o.ImageName": "registry/app:3"}})");
  EXPECT_EQ(names_of("/kubepods.slice/kubepods-pod0a1b2c3d_0001.slice/crio-" + id + ".scope"),
            "app|web-1|shop|registry/app:3");
  EXPECT_EQ(names_of("/kubepods/pod0a1b2c3d-0001/crio-" + id), "app|web-1|shop|registry/app:3");
}

TEST_F(ContainerNamesTest, Podman) {
  write("/var/lib/containers/storage/overlay-containers/containers.json",
        R"([{"id": "x"}, {"id": ")" + id + R"(", "names": ["db"], "metadata": "{\"image-name\": \"postgres:16\"}"}])");
  EXPECT_EQ(names_of("/machine.slice/libpod-" + id + ".scope"), "db|||postgres:16");
  EXPECT_EQ(names_of("/libpod_parent/libpod-" + id), "db|||postgres:16");
}

TEST_F(ContainerNamesTest, LinksOfLogs) {
  std::filesystem::create_directories(root_ + "/var/log/containers");
  std::filesystem::create_symlink("/nowhere", root_ + "/var/log/containers/web-1_shop_app-" + id + ".log");
  EXPECT_EQ(names_of("/kubepods/pod0a1b2c3d-0001/" + id), "app|web-1|shop|");
}

TEST_F(ContainerNamesTest, WithoutFiles) {
  EXPECT_EQ(names_of("/docker/" + id), "0123456789ab|||");
  EXPECT_EQ(names_of("/kubepods/pod0a1b2c3d-0001/" + id), "0123456789ab|0a1b2c3d-0001||");
  EXPECT_EQ(names_of("/system.slice/nginx.service"), "nginx.service|||");
  EXPECT_EQ(names_of("/plain/group/deep"), "/plain/group/deep|||");
  EXPECT_EQ(names_of("/"), "|||");
}

TEST_F(ContainerNamesTest, HostileFiles) {
  const std::string file = "/var/lib/docker/containers/" + id + "/config.v2.json";
  for (const char* text :
       {"", "{", "[]", "null", "{\"Name\": 1, \"Config\": []}", "\xff\xfe", "{\"Name\": {\"a\": []}}"}) {
    write(file, text);
    EXPECT_EQ(names_of("/docker/" + id), "0123456789ab|||") << text;
  }
  write(file, R"({"Name": "/)" + std::string(5000, 'x') + R"("})");
  EXPECT_EQ(ContainerState{root_}.names_of("/docker/" + id).container, std::string(255, 'x'));
  write(file, R"({"Name": "/big", "x": ")" + std::string(ContainerState::max_file_bytes, ' ') + R"("})");
  EXPECT_EQ(names_of("/docker/" + id), "0123456789ab|||");
  std::filesystem::remove(root_ + file);
  ASSERT_EQ(::mkfifo((root_ + file).c_str(), 0600), 0);  // reading it must not wait
  EXPECT_EQ(names_of("/docker/" + id), "0123456789ab|||");
}

TEST_F(ContainerNamesTest, GroupsThatAreGoneKeepTheirNames) {
  uint64_t web = make_cgroup("/docker/" + id), service = make_cgroup("/system.slice/nginx.service");
  write("/var/lib/docker/containers/" + id + "/config.v2.json", R"({"Name": "/web", "Config": {"Image": "nginx"}})");
  ContainerNames names{root_, CgroupTree{cgroups(), false}};
  std::vector<std::string> seen;
  names.set_observer([&](uint64_t, const ContainerNaming& naming) { seen.push_back(naming.container); });
  std::filesystem::remove_all(cgroups() + "/docker");
  std::filesystem::remove_all(root_ + "/var");
  EXPECT_EQ(names.name(web, ContainerPart::Container), "web");
  EXPECT_EQ(names.name(web, ContainerPart::Image), "nginx");
  EXPECT_EQ(names.name(service, ContainerPart::Container), "nginx.service");
  EXPECT_EQ(names.name(service, ContainerPart::Pod), "");
  EXPECT_EQ(names.name(1, ContainerPart::Container), "cgroup:1");
  EXPECT_EQ(std::ranges::count(seen, "web"), 1);
}

}  // namespace
}  // namespace dscope
