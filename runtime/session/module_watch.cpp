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
// Prefixes of module events; the module's name follows.
constexpr std::string_view added_module = "add@/module/", removed_module = "remove@/module/";

ModuleList read_list() {
  auto text = read_file(list_file);
  return text ? read_module_list(*text) : ModuleList{};
}

Fd open_events() {
  Fd events{::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT)};
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  address.nl_groups = 1;  // the kernel's events; udev's processed ones are in group 2
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
    else list.has_loading |= line.find(" Loading ") != std::string_view::npos;
  }
  return list;
}

ModuleWatch::ModuleWatch() {
  auto modules = read_file(list_file);
  if (!modules) return;
  events_ = open_events();  // before the list is read, so that no module falls between the two
  ModuleList list = read_list();
  reported_ = std::move(list.ready);
  has_changed_ = list.has_loading;
}

std::vector<std::string> ModuleWatch::loaded_modules() {
  std::vector<std::string> found;
  if (!events_) return found;
  std::array<char, 4096> message;
  for (;;) {
    ssize_t size = ::recv(events_.get(), message.data(), message.size(), MSG_DONTWAIT);
    if (size >= 0) handle_event({message.data(), static_cast<size_t>(size)});
    else if (errno == ENOBUFS) has_changed_ = true;  // the socket has lost events
    else if (errno != EINTR) break;
  }
  if (!has_changed_) return found;
  ModuleList list = read_list();
  std::ranges::set_difference(list.ready, reported_, std::back_inserter(found));
  reported_ = std::move(list.ready);
  has_changed_ = list.has_loading;
  return found;
}

// A message is "ACTION@/PATH" and then variables, each terminated by a NUL.
void ModuleWatch::handle_event(std::string_view message) {
  message = message.substr(0, message.find('\0'));
  has_changed_ |= message.starts_with(added_module);
  if (message.starts_with(removed_module)) reported_.erase(std::string{message.substr(removed_module.size())});
}

}  // namespace dscope
