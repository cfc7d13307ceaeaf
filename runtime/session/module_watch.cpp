#include "runtime/session/module_watch.h"

#include <linux/netlink.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "src/support/read_file.h"

namespace dscope {
namespace {

constexpr const char* list_file = "/proc/modules";
// What messages of modules begin with, in front of a name.
constexpr std::string_view loaded = "add@/module/", unloaded = "remove@/module/";

ModuleList read_list() {
  auto text = read_file(list_file);
  return text ? read_module_list(*text) : ModuleList{};
}

Fd open_events() {
  Fd events{::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT)};
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  address.nl_groups = 1;  // of the kernel; what udev makes of its messages has another one
  if (!events || ::bind(events.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) < 0) return Fd{};
  return events;
}

}  // namespace

// "loop 40960 1 - Live 0xffffffffc0000000"
ModuleList read_module_list(std::string_view text) {
  ModuleList list;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    std::string_view name = line.substr(0, line.find(' '));
    if (name.empty()) continue;
    if (line.find(" Live ") != std::string_view::npos) list.ready.emplace(name);
    else list.has_others |= line.find(" Loading ") != std::string_view::npos;
  }
  return list;
}

ModuleWatch::ModuleWatch() {
  auto modules = read_file(list_file);
  if (!modules) return;
  events_ = open_events();  // first: what is loaded from now on is told of
  ModuleList list = read_list();
  told_ = std::move(list.ready);
  is_due_ = list.has_others;
}

std::vector<std::string> ModuleWatch::take() {
  std::vector<std::string> found;
  if (!events_) return found;
  std::array<char, 4096> message;
  for (;;) {
    ssize_t size = ::recv(events_.get(), message.data(), message.size(), MSG_DONTWAIT);
    if (size >= 0) hear({message.data(), static_cast<size_t>(size)});
    else if (errno == ENOBUFS) is_due_ = true;  // some messages are lost
    else if (errno != EINTR) break;
  }
  if (!is_due_) return found;
  ModuleList list = read_list();
  std::ranges::set_difference(list.ready, told_, std::back_inserter(found));
  told_ = std::move(list.ready);
  is_due_ = list.has_others;
  return found;
}

// The action and the path of what it is about, and then variables, each with a zero byte behind it.
void ModuleWatch::hear(std::string_view message) {
  message = message.substr(0, message.find('\0'));
  is_due_ |= message.starts_with(loaded);
  if (message.starts_with(unloaded)) told_.erase(std::string{message.substr(unloaded.size())});
}

}  // namespace dscope
