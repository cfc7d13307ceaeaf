// LiveView: the live view on a terminal. Its owner polls input_fd() together with the source of its updates, and calls
// show() twice a second and after each handle_input().
//
//   DS_TRY(std::unique_ptr<NcursesTerminal> terminal, NcursesTerminal::open({}));
//   LiveView view{*terminal, handler};
//   view.show(model, status);
//   for (;;) {
//     poll({view.input_fd(), updates}, until the next half second);
//     ... model.add(update) ...
//     if (view.handle_input(model) == LiveView::Next::Quit) break;
//     view.show(model, status);
//   }
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "live/live_screen.h"
#include "live/live_terminal.h"
#include "support/result.h"

namespace dscope {

// The actions behind the keys of the view. Called from LiveView::handle_input().
class LiveHandler {
 public:
  virtual ~LiveHandler() = default;

  // Whether there is a further key to divide this element by.
  virtual bool can_drill(uint32_t aggregation, uint32_t element) = 0;
  // Starts the program with the keys of this element in its predicate. Returns at once: the view goes on with the old
  // model until show() brings one with another LiveStatus::run and a longer path.
  virtual void drill(uint32_t aggregation, uint32_t element) = 0;
  // Goes back to the program before the last drill(). Called only if LiveStatus::path is not empty.
  virtual void back() = 0;
  // Return the name of the file that was written.
  virtual Result<std::string> save_script() = 0;
  virtual Result<std::string> save_report() = 0;
  // While paused, show() must get a model that does not change: a copy. Tracing goes on.
  virtual void set_paused(bool is_paused) = 0;
};

class LiveView {
 public:
  enum class Next : uint8_t { Continue, Quit };

  // Both must outlive the view.
  LiveView(LiveTerminal& terminal, LiveHandler& handler) : terminal_(terminal), handler_(handler) {}

  // Draws the model. Keeps no reference to it.
  void show(const RunModel& model, const LiveStatus& status);
  // Handles the keys that wait. `model`: as in the last show(). Does not block.
  Next handle_input(const RunModel& model);
  int input_fd() const { return terminal_.input_fd(); }
  // The signal that made handle_input() return Quit; 0: the key `q`.
  int end_signal() const { return terminal_.end_signal(); }

 private:
  void begin_run(const RunModel& model, const LiveStatus& status);
  void fulfill(const LiveRequest& request);
  void save(const char* what, const Result<std::string>& file);

  LiveTerminal& terminal_;
  LiveHandler& handler_;
  std::vector<LiveScreen> screens_;  // of the programs that were left by drilling down, and the current one
  uint32_t run_ = 0;
  bool can_go_back_ = false;
};

}  // namespace dscope
