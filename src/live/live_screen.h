// LiveScreen: what the live view shows, without a terminal: the tabs with their panes, the status, the help. Keys
// change its state, draw() makes the cells. Requests to others are returned by handle().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "live/canvas.h"
#include "live/key_press.h"
#include "live/notice_list.h"
#include "live/pane.h"
#include "pictures/run_model.h"

namespace dscope {

// The content of the status line that the model lacks.
struct LiveStatus {
  // Numbers the traced program. Another number: the elements of the model are others, and the view starts anew. The
  // view of a program that was left by drilling down comes back when `path` becomes shorter.
  uint32_t run = 0;
  std::vector<std::string> path;  // a text for each step of drilling down: "execname = cat"
  std::string program;            // the D program, or its name; newlines are shown as blanks
  double own_cpu_percent = 0;     // of all processes of dscope; 100: one CPU
  std::string message;            // what is going on: "attaching ..."; empty: nothing
};

// A request of the user to the owner of the screen.
struct LiveRequest {
  enum class Kind : uint8_t { Nothing, Drill, Back, SaveScript, SaveReport, Pause, Redraw, Quit };
  Kind kind = Kind::Nothing;
  uint32_t aggregation = 0, element = 0;  // Drill
};

class LiveScreen {
 public:
  explicit LiveScreen(const RunModel& model);
  ~LiveScreen();
  LiveScreen(LiveScreen&&) noexcept;
  LiveScreen& operator=(LiveScreen&&) noexcept;

  // The model of another run follows. Keeps what the user has chosen if it has the same aggregations.
  void begin_run(const RunModel& model);
  Canvas draw(const RunModel& model, const LiveStatus& status, ScreenSize size, DrawingMode mode);
  LiveRequest handle(const KeyPress& key, const RunModel& model);
  // The result of the last action, shown until the next key.
  void set_message(std::string message, bool is_warning = false);
  void set_paused(bool is_paused) { is_paused_ = is_paused; }
  bool is_paused() const { return is_paused_; }

 private:
  struct Tab;
  struct TabArea {
    size_t tab = 0;
    int begin = 0, end = 0;  // columns
  };

  LivePane& pane() const;
  LiveRequest handle_character(char32_t character, const RunModel& model);
  LiveRequest drill(std::optional<uint32_t> element) const;
  LiveRequest handle_click(const KeyPress& key, const RunModel& model);
  bool handle_input_line(const KeyPress& key, const RunModel& model);
  bool handle_cover(const KeyPress& key);
  void choose_first_tab(const RunModel& model);
  void select_tab(size_t tab);
  void switch_form();
  void draw_tabs(Canvas& canvas, const RunModel& model);
  void draw_path(Canvas& canvas, const LiveStatus& status) const;
  void draw_status(Canvas& canvas, int row, const RunModel& model, const LiveStatus& status) const;
  void draw_last_line(Canvas& canvas, int row, const RunModel& model, const LiveStatus& status) const;
  void draw_help(Canvas& canvas, ScreenArea area);

  std::vector<Tab> tabs_;
  size_t current_ = 0;
  bool has_chosen_tab_ = false;  // by the user
  size_t first_tab_ = 0;         // the leftmost one that is shown
  std::vector<TabArea> tab_areas_;
  int help_column_ = -1;

  // The text that covers the pane until the user closes it.
  enum class Cover : uint8_t { Nothing, Help, Notices };
  void toggle(Cover cover);

  Cover cover_ = Cover::Nothing;
  size_t help_top_ = 0;
  NoticeList notices_;
  std::optional<std::string> input_;  // the pattern that is being typed after /
  std::string pattern_before_;        // that Escape restores
  bool is_paused_ = false;
  std::string message_;
  bool is_warning_ = false;
};

}  // namespace dscope
