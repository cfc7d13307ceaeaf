#include "runtime/containers/container_path.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

const std::string hex_id(64, 'a');
const std::string other_id(64, '0');

TEST(ContainerPath, DockerWithBothDrivers) {
  for (const std::string& path : {"/system.slice/docker-" + hex_id + ".scope", "/docker/" + hex_id,
                                  "/docker/" + hex_id + "/init.scope", "/user.slice/docker/" + hex_id + "/a/b"}) {
    ContainerPath parsed = parse_container_path(path);
    EXPECT_EQ(parsed.engine, ContainerEngine::Docker) << path;
    EXPECT_EQ(parsed.id, hex_id) << path;
  }
}

TEST(ContainerPath, PodsWithBothDrivers) {
  const std::string uid = "0a1b2c3d-0001-0002-0003-00000000000f";
  std::string escaped = uid;
  for (char& c : escaped)
    if (c == '-') c = '_';
  std::string slice = "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + escaped + ".slice/";
  struct Case {
    std::string path;
    ContainerEngine engine;
  };
  for (const Case& each :
       {Case{slice + "cri-containerd-" + hex_id + ".scope", ContainerEngine::Containerd},
        Case{slice + "crio-" + hex_id + ".scope", ContainerEngine::Crio},
        Case{slice + "docker-" + hex_id + ".scope", ContainerEngine::Docker},
        Case{"/kubepods/besteffort/pod" + uid + "/" + hex_id, ContainerEngine::Kubernetes},
        Case{"/kubepods/pod" + uid + "/crio-" + hex_id, ContainerEngine::Crio},
        Case{"/kubelet.slice" + slice + "cri-containerd-" + hex_id + ".scope/x", ContainerEngine::Containerd},
        Case{"/system.slice/containerd.service/kubepods-burstable-pod" + escaped + ".slice:cri-containerd:" + hex_id,
             ContainerEngine::Containerd}}) {
    ContainerPath parsed = parse_container_path(each.path);
    EXPECT_EQ(parsed.engine, each.engine) << each.path;
    EXPECT_EQ(parsed.id, hex_id) << each.path;
    EXPECT_EQ(parsed.pod_uid, uid) << each.path;
  }
}

TEST(ContainerPath, PodmanWithBothDriversAndUsers) {
  for (const std::string& path : {"/machine.slice/libpod-" + hex_id + ".scope", "/libpod_parent/libpod-" + hex_id,
                                  "/machine.slice/libpod-" + hex_id + ".scope/container"}) {
    ContainerPath parsed = parse_container_path(path);
    EXPECT_EQ(parsed.engine, ContainerEngine::Podman) << path;
    EXPECT_EQ(parsed.id, hex_id) << path;
    EXPECT_FALSE(parsed.user) << path;
  }
  ContainerPath rootless =
      parse_container_path("/user.slice/user-1000.slice/user@1000.service/user.slice/user-libpod_pod_" + other_id +
                           ".slice/libpod-" + hex_id + ".scope");
  EXPECT_EQ(rootless.id, hex_id);
  EXPECT_EQ(rootless.pod_id, other_id);
  EXPECT_EQ(rootless.user, 1000U);
}

TEST(ContainerPath, MonitorsOfContainersAreUnits) {
  ContainerPath parsed = parse_container_path("/machine.slice/libpod-conmon-" + hex_id + ".scope");
  EXPECT_EQ(parsed.engine, ContainerEngine::None);
  EXPECT_EQ(parsed.unit, "libpod-conmon-" + hex_id + ".scope");
}

TEST(ContainerPath, TheInnermostContainerCounts) {
  EXPECT_EQ(parse_container_path("/docker/" + other_id + "/docker/" + hex_id).id, hex_id);
}

TEST(ContainerPath, ContainersWithNames) {
  EXPECT_EQ(parse_container_path("/lxc.payload.web/system.slice/nginx.service").name, "web");
  EXPECT_EQ(parse_container_path("/lxc/web").name, "web");
  EXPECT_EQ(parse_container_path("/machine.slice/machine-my\\x2dguest.scope").name, "my-guest");
  EXPECT_EQ(parse_container_path("/machine.slice/systemd-nspawn@debian.service/payload").name, "debian");
  ContainerPath ctr = parse_container_path("/default/redis");
  EXPECT_EQ(ctr.engine, ContainerEngine::Containerd);
  EXPECT_EQ(ctr.runtime_namespace, "default");
  EXPECT_EQ(ctr.name, "redis");
}

TEST(ContainerPath, UnitsOfSystemd) {
  EXPECT_EQ(parse_container_path("/system.slice/nginx.service").unit, "nginx.service");
  EXPECT_EQ(parse_container_path("/system.slice/system-getty.slice/getty@tty1.service").unit, "getty@tty1.service");
  EXPECT_EQ(parse_container_path("/user.slice/user-1000.slice/session-3.scope").unit, "session-3.scope");
  EXPECT_EQ(parse_container_path("/user.slice/user-1000.slice/user@1000.service/app.slice/a\\x2db.scope").unit,
            "a-b.scope");
  EXPECT_EQ(parse_container_path("/system.slice").unit, "system.slice");
  EXPECT_EQ(parse_container_path("/init.scope").unit, "init.scope");
}

TEST(ContainerPath, AnythingElseIsNoContainer) {
  for (const char* path : {"", "/", "//", "docker", "/a/b/c", "/docker-", "/..", "/docker/short", "/kubepods/podx"})
    EXPECT_EQ(parse_container_path(path).id, "") << path;
  EXPECT_EQ(parse_container_path("/a/b/c").engine, ContainerEngine::None);
  EXPECT_EQ(parse_container_path("/docker/" + std::string(64, 'g')).id, "");
  EXPECT_EQ(parse_container_path("/x\\x2").unit, "");
}

}  // namespace
}  // namespace dscope
