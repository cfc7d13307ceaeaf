#include "web/http_server.h"

#include <microhttpd.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <map>
#include <set>
#include <vector>

#include "support/catch_exceptions.h"

namespace dscope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t max_head_bytes = size_t{32} << 10;

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

MHD_Result take_header(void* values, MHD_ValueKind, const char* name, const char* value) {
  (*static_cast<std::map<std::string, std::string>*>(values))[lower_case(name)] = value != nullptr ? value : "";
  return MHD_YES;
}

MHD_Result take_parameter(void* values, MHD_ValueKind, const char* name, const char* value) {
  (*static_cast<std::map<std::string, std::string>*>(values))[name] = value != nullptr ? value : "";
  return MHD_YES;
}

bool has_hung_up(int socket) {
  pollfd waited{.fd = socket, .events = POLLRDHUP, .revents = 0};
  return ::poll(&waited, 1, 0) == 1;
}

}  // namespace

struct HttpServer::State {
  struct Connection {
    int fd = -1;
    Clock::time_point waiting_since;       // since it was made, or since its last response
    const HttpSession* session = nullptr;  // its request; null: between requests
  };

  static MHD_Result on_request(void* self, MHD_Connection* connection, const char* path, const char* method,
                               const char* version, const char* body, size_t* body_bytes, void** context);
  static void on_completed(void* self, MHD_Connection* connection, void** context, MHD_RequestTerminationCode);
  static void on_connection(void* self, MHD_Connection* connection, void** context, MHD_ConnectionNotificationCode);
  void handle(const std::shared_ptr<HttpSession>& session);
  void close_slow_connections();
  bool is_nearly_full() const { return connections.size() + 1 >= settings.max_connections; }

  HttpSettings settings;
  HttpHandler handler;
  MHD_Daemon* daemon = nullptr;
  std::map<MHD_Connection*, Connection> connections;
  std::set<std::shared_ptr<HttpSession>*> sessions;
  Clock::time_point checked_at;
  // The library does not report connections that have been resumed.
  std::shared_ptr<bool> has_work = std::make_shared<bool>(false);
};

// Exceptions must not pass through the library.
void HttpServer::State::handle(const std::shared_ptr<HttpSession>& session) {
  auto handled = catch_exceptions([&]() -> Result<> {
    handler(session);
    return {};
  });
  if (!handled) session->answer(text_response(500, handled.error().message()));
}

MHD_Result HttpServer::State::on_request(void* self, MHD_Connection* connection, const char* path, const char* method,
                                         const char*, const char* body, size_t* body_bytes, void** context) {
  auto& state = *static_cast<State*>(self);
  if (*context == nullptr) {
    auto* session = new std::shared_ptr<HttpSession>(std::make_shared<HttpSession>(connection, state.has_work));
    state.sessions.insert(session);
    *context = session;
    state.connections[connection].session = session->get();
    HttpRequest& request = (*session)->received();
    request.method = method;
    request.path = path;
    MHD_get_connection_values(connection, MHD_HEADER_KIND, take_header, &request.headers);
    MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, take_parameter, &request.query);
    return MHD_YES;
  }
  HttpSession& session = **static_cast<std::shared_ptr<HttpSession>*>(*context);
  if (session.is_answered()) return session.deliver() ? MHD_YES : MHD_NO;
  if (*body_bytes != 0) {
    std::string& received = session.received().body;
    // One byte over the limit is kept, to tell.
    size_t room = state.settings.max_body_bytes + 1 - std::min(received.size(), state.settings.max_body_bytes + 1);
    received.append(body, std::min(*body_bytes, room));
    *body_bytes = 0;
    return MHD_YES;
  }
  if (session.request().body.size() > state.settings.max_body_bytes)
    session.answer(text_response(413, "the request is too large"));
  else state.handle(*static_cast<std::shared_ptr<HttpSession>*>(*context));
  if (session.is_answered()) return session.deliver() ? MHD_YES : MHD_NO;
  session.suspend();
  return MHD_YES;
}

void HttpServer::State::on_completed(void* self, MHD_Connection* connection, void** context,
                                     MHD_RequestTerminationCode) {
  auto& state = *static_cast<State*>(self);
  auto* session = static_cast<std::shared_ptr<HttpSession>*>(*context);
  if (session == nullptr) return;
  *context = nullptr;
  (*session)->disconnect();
  state.sessions.erase(session);
  delete session;
  if (auto found = state.connections.find(connection); found != state.connections.end()) {
    found->second.waiting_since = Clock::now();
    found->second.session = nullptr;
  }
}

void HttpServer::State::on_connection(void* self, MHD_Connection* connection, void**,
                                      MHD_ConnectionNotificationCode code) {
  auto& state = *static_cast<State*>(self);
  if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
    state.connections.erase(connection);
    return;
  }
  const MHD_ConnectionInfo* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  state.connections[connection] = {
      .fd = info != nullptr ? info->connect_fd : -1, .waiting_since = Clock::now(), .session = nullptr};
}

// libmicrohttpd closes connections that transfer nothing. A client that sends a byte now and then must not hold one of
// the few connections either. Version 0.9.75 also overlooks clients that have gone after a part of a request.
void HttpServer::State::close_slow_connections() {
  Clock::time_point now = Clock::now();
  if (now - checked_at < std::chrono::milliseconds{is_nearly_full() ? 100 : 1000}) return;
  checked_at = now;
  for (const auto& [connection, each] : connections) {
    bool is_streaming = each.session != nullptr && each.session->is_streaming();
    bool is_abandoned = each.session == nullptr && has_hung_up(each.fd);
    if (is_abandoned || (!is_streaming && now - each.waiting_since >= settings.max_request_time))
      ::shutdown(each.fd, SHUT_RDWR);
  }
}

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
HttpServer::HttpServer(HttpServer&&) noexcept = default;
HttpServer& HttpServer::operator=(HttpServer&&) noexcept = default;

HttpServer::~HttpServer() {
  if (!state_ || state_->daemon == nullptr) return;
  // Suspended connections would keep the library from stopping.
  std::vector<std::shared_ptr<HttpSession>> open;
  for (std::shared_ptr<HttpSession>* session : state_->sessions) open.push_back(*session);
  for (const std::shared_ptr<HttpSession>& session : open) session->end();
  MHD_run(state_->daemon);
  MHD_stop_daemon(state_->daemon);
}

Result<HttpServer> HttpServer::start(Fd listener, const HttpSettings& settings, HttpHandler handler) {
  auto state = std::make_unique<State>();
  state->settings = settings;
  state->handler = std::move(handler);
  unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME;
  std::vector<MHD_OptionItem> items;
  if (!settings.tls_certificate.empty()) {
    flags |= MHD_USE_TLS;
    items.push_back({MHD_OPTION_HTTPS_MEM_CERT, 0, const_cast<char*>(state->settings.tls_certificate.c_str())});
    items.push_back({MHD_OPTION_HTTPS_MEM_KEY, 0, const_cast<char*>(state->settings.tls_key.c_str())});
  }
  items.push_back({MHD_OPTION_END, 0, nullptr});
  state->daemon = MHD_start_daemon(
      flags, 0, nullptr, nullptr, &State::on_request, state.get(), MHD_OPTION_LISTEN_SOCKET, listener.get(),
      MHD_OPTION_CONNECTION_LIMIT, settings.max_connections, MHD_OPTION_CONNECTION_TIMEOUT,
      static_cast<unsigned>(settings.max_idle.count()), MHD_OPTION_CONNECTION_MEMORY_LIMIT, max_head_bytes,
      MHD_OPTION_NOTIFY_COMPLETED, &State::on_completed, state.get(), MHD_OPTION_NOTIFY_CONNECTION,
      &State::on_connection, state.get(), MHD_OPTION_ARRAY, items.data(), MHD_OPTION_END);
  if (state->daemon == nullptr) return fail(Error::from_errno(errno, "cannot start the web server"));
  listener.release();  // closed by the library
  return HttpServer{std::move(state)};
}

int HttpServer::poll_fd() const { return MHD_get_daemon_info(state_->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd; }

std::chrono::milliseconds HttpServer::max_wait() const {
  MHD_UNSIGNED_LONG_LONG timeout = 0;
  constexpr std::chrono::milliseconds check_period{1000};
  if (*state_->has_work) return std::chrono::milliseconds{0};
  // At the limit the library takes the listener out of poll_fd() and only looks at it in run().
  constexpr std::chrono::milliseconds limit_period{5};
  if (state_->is_nearly_full()) return limit_period;
  if (state_->connections.empty()) return std::chrono::milliseconds::max();
  if (MHD_get_timeout(state_->daemon, &timeout) != MHD_YES) return check_period;
  return std::min(check_period, std::chrono::milliseconds{static_cast<int64_t>(timeout)});
}

void HttpServer::run() {
  state_->close_slow_connections();
  *state_->has_work = false;
  MHD_run(state_->daemon);
}

size_t HttpServer::connection_count() const { return state_->connections.size(); }

}  // namespace dscope
