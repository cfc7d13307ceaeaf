#include "runtime/containers/container_path.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "support/text/parse_integer.h"
#include "support/text/word_list.h"

namespace dscope {

namespace {

constexpr size_t id_digits = 64;

bool is_hexadecimal(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0 || (c >= 'a' && c <= 'f'); });
}
bool is_container_id(std::string_view text) { return text.size() == id_digits && is_hexadecimal(text); }

std::string_view without_suffix(std::string_view text, std::string_view suffix) {
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
  return text;
}

// systemd writes \x2d for a dash in a part of a name.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    bool is_escape = text.substr(i).starts_with("\\x") && i + 4 <= text.size() && is_hexadecimal(text.substr(i + 2, 2));
    if (!is_escape) {
      plain += text[i];
      continue;
    }
    auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    plain += static_cast<char>(digit(text[i + 2]) * 16 + digit(text[i + 3]));
    i += 3;
  }
  return plain;
}

struct Prefix {
  std::string_view text;
  ContainerEngine engine;
};
// "docker-ID.scope" (systemd driver), "crio-ID" (cgroupfs driver).
constexpr Prefix prefixes[] = {{"docker-", ContainerEngine::Docker},
                               {"cri-containerd-", ContainerEngine::Containerd},
                               {"nerdctl-", ContainerEngine::Containerd},
                               {"crio-", ContainerEngine::Crio},
                               {"libpod-", ContainerEngine::Podman}};

// "kubepods-burstable-podUID.slice:cri-containerd:ID": a path for systemd that a cgroupfs driver has taken literally.
constexpr Prefix middles[] = {{"cri-containerd", ContainerEngine::Containerd},
                              {"crio", ContainerEngine::Crio},
                              {"docker", ContainerEngine::Docker},
                              {"nerdctl", ContainerEngine::Containerd},
                              {"libpod", ContainerEngine::Podman}};

class PathReader {
 public:
  explicit PathReader(std::string_view path) : parts_(parts_of(path, "/")) {}

  ContainerPath read() {
    for (size_t i = parts_.size(); i-- > 0 && !is_container();) read_container(i);
    for (std::string_view part : parts_) {
      read_pod(part);
      read_user(part);
    }
    if (is_container()) return std::move(result_);
    read_unit();
    // `ctr` and containerd's default: /NAMESPACE/NAME.
    if (result_.unit.empty() && parts_.size() == 2) {
      result_.engine = ContainerEngine::Containerd;
      result_.runtime_namespace = parts_[0];
      result_.name = parts_[1];
    }
    return std::move(result_);
  }

 private:
  bool is_container() const { return result_.engine != ContainerEngine::None; }

  void read_container(size_t index) {
    std::string_view part = without_suffix(parts_[index], ".scope");
    for (const Prefix& prefix : prefixes)
      if (part.starts_with(prefix.text) && is_container_id(part.substr(prefix.text.size())))
        return set_id(prefix.engine, part.substr(prefix.text.size()));
    if (part.size() > id_digits && part[part.size() - id_digits - 1] == ':') return read_literal(part);
    if (is_container_id(part)) return set_id(engine_around(index), part);
    read_named(part, parts_[index].ends_with(".scope"), index);
  }

  void read_literal(std::string_view part) {
    std::string_view id = part.substr(part.size() - id_digits);
    std::string_view before = part.substr(0, part.size() - id_digits - 1);
    std::string_view runtime = before.substr(std::min(before.rfind(':') + 1, before.size()));
    if (!is_container_id(id)) return;
    auto known = std::ranges::find(middles, runtime, &Prefix::text);
    set_id(known != std::end(middles) ? known->engine : ContainerEngine::Unknown, id);
  }

  // Containers that have names in place of ids.
  void read_named(std::string_view part, bool is_scope, size_t index) {
    std::string_view name;
    if (part.starts_with("lxc.payload.")) name = part.substr(12);
    else if (index > 0 && parts_[index - 1] == "lxc") name = part;
    else if (is_scope && part.starts_with("machine-")) name = part.substr(8);
    else if (part.starts_with("systemd-nspawn@")) name = without_suffix(part.substr(15), ".service");
    if (name.empty()) return;
    result_.engine = ContainerEngine::Unknown;
    result_.name = unescaped(name);
  }

  // The directory above an id tells whose it is.
  ContainerEngine engine_around(size_t index) {
    std::string_view above = index > 0 ? parts_[index - 1] : std::string_view{};
    if (above == "docker") return ContainerEngine::Docker;
    if (above == "libpod_parent") return ContainerEngine::Podman;
    bool is_of_pod = std::ranges::any_of(parts_, [](std::string_view part) { return part.starts_with("kubepods"); });
    if (is_of_pod) return ContainerEngine::Kubernetes;
    if (index == 1) {
      result_.runtime_namespace = above;
      return ContainerEngine::Containerd;
    }
    return ContainerEngine::Unknown;
  }

  void set_id(ContainerEngine engine, std::string_view id) {
    result_.engine = engine;
    result_.id = id;
  }

  // "kubepods-besteffort-podUID.slice" with _ for -, "podUID"; "machine-libpod_pod_ID.slice".
  void read_pod(std::string_view part) {
    part = without_suffix(part.substr(0, part.find(':')), ".slice");
    constexpr std::string_view of_podman = "libpod_pod_";
    if (size_t at = part.find(of_podman); at != part.npos && is_container_id(part.substr(at + of_podman.size())))
      result_.pod_id = part.substr(at + of_podman.size());
    size_t at = part.starts_with("pod") ? 0 : part.starts_with("kubepods") ? part.find("-pod") : part.npos;
    if (at == part.npos) return;
    std::string uid{part.substr(at + (at == 0 ? 3 : 4))};
    std::ranges::replace(uid, '_', '-');
    bool is_uid =
        uid.size() >= 8 && std::ranges::all_of(uid, [](unsigned char c) { return std::isxdigit(c) || c == '-'; });
    if (is_uid) result_.pod_uid = std::move(uid);
  }

  void read_user(std::string_view part) {
    if (!part.starts_with("user@") || !part.ends_with(".service")) return;
    result_.user = parse_integer<uint32_t>(without_suffix(part.substr(5), ".service"));
  }

  // The innermost unit that runs processes; else the innermost slice.
  void read_unit() {
    auto find = [&](std::initializer_list<std::string_view> suffixes) {
      return std::find_if(parts_.rbegin(), parts_.rend(), [&](std::string_view part) {
        return std::ranges::any_of(suffixes, [&](std::string_view suffix) { return part.ends_with(suffix); });
      });
    };
    auto found = find({".service", ".scope", ".socket", ".mount", ".swap"});
    if (found == parts_.rend()) found = find({".slice"});
    if (found != parts_.rend()) result_.unit = unescaped(*found);
  }

  std::vector<std::string_view> parts_;
  ContainerPath result_;
};

}  // namespace

ContainerPath parse_container_path(std::string_view path) { return PathReader{path}.read(); }

}  // namespace dscope
