// NcursesTerminal: the terminal of this process by ncursesw, the only user of that library. The destructor leaves the
// terminal as it was; TerminalGuard does if the process is killed or crashes.
#pragma once

#include <memory>

#include "live/live_terminal.h"
#include "support/result.h"

namespace dscope {

struct TerminalSettings {
  bool is_ascii = false;  // draw with ASCII characters whatever the locale is
};

class NcursesTerminal : public LiveTerminal {
 public:
  // Needs a terminal as standard input and output. Sets the locale of characters (LC_CTYPE) from the environment.
  // Colors depend on TERM and NO_COLOR. While it is open, SIGINT, SIGTERM and SIGHUP do not end the process: see
  // end_signal(). Only one at a time.
  static Result<std::unique_ptr<NcursesTerminal>> open(const TerminalSettings& settings);
  ~NcursesTerminal() override;

  ScreenSize size() const override;
  DrawingMode mode() const override;
  void draw(const Canvas& canvas) override;
  void invalidate() override;
  std::optional<KeyPress> next_key() override;
  int input_fd() const override;
  int end_signal() const override;

 private:
  struct State;
  explicit NcursesTerminal(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace dscope
