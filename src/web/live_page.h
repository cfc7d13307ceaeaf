// LivePage: the report of a run that goes on, in the browser: the page, its data, server-sent events that announce new
// data, and the box in which the controller types another program.
//
//   GET  /             the page; with ?token=… first a cookie
//   GET  /report.json  the report so far (docs/json-output.md describes its parts)
//   GET  /report.html  the report so far as a file, as --report writes it
//   GET  /updates      server-sent events: "status" with a PageStatus and the role of the browser, as JSON
//   POST /program      the controller starts a program: the body is its D text. 204, or 422 with the diagnostics
//   POST /back         the controller returns to the first program
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pictures/run_model.h"
#include "web/http_session.h"
#include "web/page_access.h"

namespace dscope {

struct PageStatus {
  uint64_t revision = 0;   // changes when the report may have changed
  bool is_of_box = false;  // a program of the box is shown
  std::string state;       // "running", "ended"
  double own_cpu_percent = 0;
};

// The run that the page shows, and the actions of its buttons.
class PageHandler {
 public:
  virtual ~PageHandler() = default;
  virtual const RunModel* shown() const = 0;  // null: nothing yet
  virtual PageStatus status() const = 0;
  // Starts a program beside the first one, and shows it. `done` is called once: with "" when it is attached, or with
  // the text that it wrote on stderr.
  virtual void start_program(const std::string& text, std::function<void(std::string problem)> done) = 0;
  // Ends the program of the box, if there is one.
  virtual void end_program() = 0;
};

class LivePage {
 public:
  LivePage(PageAccess access, PageHandler& handler) : access_(std::move(access)), handler_(handler) {}

  void handle(const std::shared_ptr<HttpSession>& session);
  // Announces new data to the browsers; call a few times a second. Ends the program of the box when no page of the
  // controller has been open for `max_absence`: reloading a page takes less.
  void publish();
  // publish() has something to do.
  bool is_busy() const { return !clients_.empty() || handler_.status().is_of_box; }

  static constexpr std::chrono::seconds max_absence{5};

 private:
  struct Client {
    std::shared_ptr<EventStream> stream;
    PageRole role{};
    std::string last_sent;
  };

  void get(const std::shared_ptr<HttpSession>& session, PageRole role);
  void post(const std::shared_ptr<HttpSession>& session, PageRole role);
  void announce(Client& client);
  void end_program_without_controller();

  PageAccess access_;
  PageHandler& handler_;
  std::vector<Client> clients_;
  std::chrono::steady_clock::time_point controller_seen_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point commented_at_ = std::chrono::steady_clock::now();
};

}  // namespace dscope
