#include "live/live_view.h"

#include <gtest/gtest.h>

#include <deque>

#include "synthetic_run.h"

namespace dscope::test {
namespace {

class FakeTerminal : public LiveTerminal {
 public:
  ScreenSize size() const override { return {.rows = 24, .columns = 80}; }
  DrawingMode mode() const override { return {.is_unicode = false}; }
  void draw(const Canvas& canvas) override { drawn = canvas; }
  void invalidate() override { is_invalid = true; }
  std::optional<KeyPress> next_key() override {
    if (keys.empty()) return std::nullopt;
    KeyPress key = keys.front();
    keys.pop_front();
    return key;
  }
  int input_fd() const override { return -1; }
  int end_signal() const override { return signal; }

  Canvas drawn{{}, {}};
  std::deque<KeyPress> keys;
  bool is_invalid = false;
  int signal = 0;
};

class FakeHandler : public LiveHandler {
 public:
  bool can_drill(uint32_t, uint32_t element) override { return element == 0; }
  void drill(uint32_t aggregation, uint32_t element) override {
    calls += "drill " + std::to_string(aggregation) + " " + std::to_string(element) + "; ";
  }
  void back() override { calls += "back; "; }
  Result<std::string> save_script() override { return "trace-1.d"; }
  Result<std::string> save_report() override { return fail(Error("disk full")); }
  void set_paused(bool is_paused) override { calls += is_paused ? "pause; " : "resume; "; }

  std::string calls;
};

class ViewTest : public testing::Test {
 protected:
  ViewTest() {
    model_.add(run_.next());
    view_.show(model_, status_);
  }

  LiveView::Next press(KeyPress key) {
    terminal_.keys.push_back(key);
    LiveView::Next next = view_.handle_input(model_);
    view_.show(model_, status_);
    return next;
  }
  LiveView::Next press(char32_t character) { return press(character_key(character)); }
  std::string last_line() { return terminal_.drawn.line(23); }

  FakeTerminal terminal_;
  FakeHandler handler_;
  SyntheticRun run_;
  RunModel model_{SyntheticRun::start()};
  LiveStatus status_{.run = 1};
  LiveView view_{terminal_, handler_};
};

TEST_F(ViewTest, DrillsDownAndGoesBack) {
  press(KeyPress{.kind = KeyPress::Kind::Backspace});
  EXPECT_TRUE(last_line().starts_with(" this is the first program")) << last_line();
  press(KeyPress{.kind = KeyPress::Kind::Enter});
  EXPECT_EQ(handler_.calls, "drill 0 0; ");
  press(KeyPress{.kind = KeyPress::Kind::Down});
  press(KeyPress{.kind = KeyPress::Kind::Enter});
  EXPECT_TRUE(last_line().starts_with(" no further key to drill down by")) << last_line();

  press(U'>');
  RunModel second{SyntheticRun::start()};
  status_ = {.run = 2, .path = {"execname = cat"}};
  view_.show(second, status_);
  EXPECT_EQ(terminal_.drawn.line(1), " > execname = cat");
  EXPECT_NE(terminal_.drawn.line(2).find("countv"), std::string::npos);
  terminal_.keys.push_back({.kind = KeyPress::Kind::Backspace});
  view_.handle_input(second);
  EXPECT_EQ(handler_.calls, "drill 0 0; back; ");

  // The view of the first program comes back with its order, for elements with other numbers.
  RunModel third{SyntheticRun::start()};
  view_.show(third, {.run = 3});
  EXPECT_NE(terminal_.drawn.line(1).find("rate/sv"), std::string::npos) << terminal_.drawn.line(1);
}

TEST_F(ViewTest, SaysWhatWasSaved) {
  press(U's');
  EXPECT_TRUE(last_line().starts_with(" saved the program: trace-1.d")) << last_line();
  press(U'h');
  EXPECT_TRUE(last_line().starts_with(" disk full")) << last_line();
  EXPECT_EQ(terminal_.drawn.at(23, 1).style, ScreenStyle::Warning);
}

TEST_F(ViewTest, PausesAndRedraws) {
  press(U'p');
  EXPECT_NE(terminal_.drawn.line(22).find("PAUSED"), std::string::npos);
  press(U' ');
  EXPECT_EQ(terminal_.drawn.line(22).find("PAUSED"), std::string::npos);
  EXPECT_EQ(handler_.calls, "pause; resume; ");
  EXPECT_FALSE(terminal_.is_invalid);
  press(U'\f');
  EXPECT_TRUE(terminal_.is_invalid);
}

TEST_F(ViewTest, EndsByKeyOrSignal) {
  EXPECT_EQ(press(U'x'), LiveView::Next::Continue);
  EXPECT_EQ(press(U'q'), LiveView::Next::Quit);
  terminal_.signal = 15;
  EXPECT_EQ(press(U'x'), LiveView::Next::Quit);
  EXPECT_EQ(view_.end_signal(), 15);
}

}  // namespace
}  // namespace dscope::test
