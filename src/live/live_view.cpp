#include "live/live_view.h"

#include <utility>

namespace dscope {

void LiveView::begin_run(const RunModel& model, const LiveStatus& status) {
  size_t depth = status.path.size() + 1;
  bool is_paused = !screens_.empty() && screens_.back().is_paused();
  while (screens_.size() > depth) screens_.pop_back();
  if (screens_.size() == depth) screens_.back().begin_run(model);
  else screens_.emplace_back(model);
  screens_.back().set_paused(is_paused);
}

void LiveView::show(const RunModel& model, const LiveStatus& status) {
  if (screens_.empty() || status.run != run_) begin_run(model, status);
  run_ = status.run;
  can_go_back_ = !status.path.empty();
  terminal_.draw(screens_.back().draw(model, status, terminal_.size(), terminal_.mode()));
}

void LiveView::save(const char* what, const Result<std::string>& file) {
  if (file) screens_.back().set_message(std::string("saved the ") + what + ": " + *file);
  else screens_.back().set_message(file.error().message(), /*is_warning=*/true);
}

void LiveView::fulfill(const LiveRequest& request) {
  LiveScreen& screen = screens_.back();
  switch (request.kind) {
    case LiveRequest::Kind::Nothing:
    case LiveRequest::Kind::Quit: break;
    case LiveRequest::Kind::Drill:
      if (handler_.can_drill(request.aggregation, request.element))
        handler_.drill(request.aggregation, request.element);
      else screen.set_message("no further key to drill down by", /*is_warning=*/true);
      break;
    case LiveRequest::Kind::Back:
      if (can_go_back_) handler_.back();
      else screen.set_message("this is the first program");
      break;
    case LiveRequest::Kind::SaveScript: save("program", handler_.save_script()); break;
    case LiveRequest::Kind::SaveReport: save("report", handler_.save_report()); break;
    case LiveRequest::Kind::Pause:
      screen.set_paused(!screen.is_paused());
      handler_.set_paused(screen.is_paused());
      break;
    case LiveRequest::Kind::Redraw: terminal_.invalidate(); break;
  }
}

LiveView::Next LiveView::handle_input(const RunModel& model) {
  while (std::optional<KeyPress> key = terminal_.next_key()) {
    if (screens_.empty()) continue;
    LiveRequest request = screens_.back().handle(*key, model);
    if (request.kind == LiveRequest::Kind::Quit) return Next::Quit;
    fulfill(request);
  }
  return terminal_.end_signal() != 0 ? Next::Quit : Next::Continue;
}

}  // namespace dscope
