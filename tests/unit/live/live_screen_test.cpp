#include "live/live_screen.h"

#include <gtest/gtest.h>
#include <locale.h>

#include <random>

#include "synthetic_run.h"

namespace dscope::test {
namespace {

using Kind = KeyPress::Kind;

class ScreenTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_NE(::setlocale(LC_CTYPE, "C.UTF-8"), nullptr); }

  ScreenTest() {
    for (int i = 0; i < 8; ++i) model_.add(run_.next());
  }

  Canvas canvas() { return screen_.draw(model_, status_, size_, mode_); }
  std::string line(int row) { return canvas().line(row); }
  std::string text() {
    Canvas drawn = canvas();
    std::string all;
    for (int row = 0; row < size_.rows; ++row) all += drawn.line(row) + "\n";
    return all;
  }
  bool shows(const std::string& part) { return text().find(part) != std::string::npos; }
  // The text of the selected row.
  std::string selected() {
    Canvas drawn = canvas();
    for (int row = 1; row < size_.rows - 2; ++row)
      if (drawn.at(row, 0).style == ScreenStyle::Selected) return drawn.line(row);
    return {};
  }
  LiveRequest press(Kind kind) { return screen_.handle({.kind = kind}, model_); }
  LiveRequest press(char32_t character) { return screen_.handle(character_key(character), model_); }
  void type(const std::u32string& text) {
    for (char32_t character : text) press(character);
  }

  SyntheticRun run_;
  RunModel model_{SyntheticRun::start()};
  LiveScreen screen_{model_};
  LiveStatus status_;
  ScreenSize size_{.rows = 24, .columns = 80};
  DrawingMode mode_;
};

TEST_F(ScreenTest, ShowsATableSortedByValue) {
  EXPECT_TRUE(line(0).starts_with(" 1 @calls  2 @latency")) << line(0);
  EXPECT_TRUE(line(1).starts_with("execname")) << line(1);
  EXPECT_NE(line(1).find("count▼"), std::string::npos) << line(1);
  EXPECT_TRUE(line(2).starts_with("postgres")) << line(2);
  EXPECT_TRUE(line(3).starts_with("nginx")) << line(3);
  EXPECT_NE(line(2).find("%"), std::string::npos) << line(2);
  EXPECT_TRUE(line(22).starts_with(" 00:00:04  drops 0  faults 0  CPU 0.0%")) << line(22);
  EXPECT_NE(line(23).find("24 rows"), std::string::npos) << line(23);
}

TEST_F(ScreenTest, BeginsWithTheRowsIfNoAggregationHasKeys) {
  RunStart start;
  start.probes = {{"syscall", "vmlinux", "openat", "entry"}};
  start.aggregations = {{.name = "opened", .function = AggregationFunction::Count}};
  RunModel model{start};
  LiveScreen screen{model};
  EXPECT_EQ(screen.draw(model, status_, size_, mode_).line(1).find("/etc/passwd"), std::string::npos);
  RunUpdate update{.time_ns = 1'000'000'000};
  update.rows = {{.time_ns = 1, .text = "/etc/passwd"}};
  model.add(update);
  EXPECT_NE(screen.draw(model, status_, size_, mode_).line(1).find("/etc/passwd"), std::string::npos);
  screen.handle(character_key(U'1'), model);
  EXPECT_EQ(screen.draw(model, status_, size_, mode_).line(1).find("/etc/passwd"), std::string::npos);
}

TEST_F(ScreenTest, TracedTextCannotControlTheTerminal) { EXPECT_TRUE(shows("evil^[[2J^J")) << text(); }

TEST_F(ScreenTest, WideCharactersKeepTheColumnsAligned) {
  Canvas drawn = canvas();
  int wide = -1;
  for (int row = 2; row < 20; ++row)
    if (drawn.line(row).starts_with("日本語")) wide = row;
  ASSERT_GE(wide, 0);
  auto column_of_function = [&](int row) {
    int column = drawn.at(row, 0).width == 0 ? 1 : 0;
    while (drawn.at(row, column).characters[0] != U' ' || drawn.at(row, column + 1).characters[0] != U' ') ++column;
    while (drawn.at(row, column).characters[0] == U' ') ++column;
    return column;
  };
  EXPECT_EQ(column_of_function(wide), column_of_function(2));
}

TEST_F(ScreenTest, SortsByAnyColumn) {
  press(U'>');
  EXPECT_NE(line(1).find("rate/s▼"), std::string::npos) << line(1);
  press(U'>');
  EXPECT_NE(line(1).find("execname▲"), std::string::npos) << line(1);
  EXPECT_TRUE(line(2).starts_with("bash")) << line(2);
  press(U'r');
  EXPECT_NE(line(1).find("execname▼"), std::string::npos) << line(1);
  press(U'<');
  EXPECT_NE(line(1).find("rate/s▼"), std::string::npos) << line(1);
}

TEST_F(ScreenTest, SelectionFollowsItsElement) {
  press(Kind::Down);
  press(Kind::Down);
  std::string before = selected();
  EXPECT_TRUE(before.starts_with("bash")) << before;
  press(U'<');
  press(U'<');
  press(U'<');
  EXPECT_TRUE(selected().starts_with("bash")) << selected();
  press(Kind::End);
  EXPECT_TRUE(selected() == line(21)) << text();
  press(Kind::Home);
  EXPECT_TRUE(selected() == line(2)) << text();
}

TEST_F(ScreenTest, FiltersWhileTyping) {
  type(U"/ngi");
  EXPECT_TRUE(line(23).starts_with(" filter: ngi")) << line(23);
  EXPECT_TRUE(line(2).starts_with("nginx")) << line(2);
  EXPECT_EQ(line(3), "");
  EXPECT_EQ(canvas().at(2, 0).style, ScreenStyle::Selected);
  press(Kind::Enter);
  EXPECT_NE(line(23).find("1 of 24 rows /ngi"), std::string::npos) << line(23);
  type(U"/zzz");
  EXPECT_TRUE(shows("nothing matches the filter"));
  press(Kind::Escape);
  EXPECT_TRUE(line(2).starts_with("nginx")) << line(2);
  press(Kind::Escape);
  EXPECT_TRUE(line(2).starts_with("postgres")) << line(2);
  type(U"/*read");
  press(Kind::Backspace);
  EXPECT_TRUE(line(23).starts_with(" filter: *rea")) << line(23);
}

TEST_F(ScreenTest, EnterAsksToDrillDown) {
  press(Kind::Down);
  LiveRequest request = press(Kind::Enter);
  EXPECT_EQ(request.kind, LiveRequest::Kind::Drill);
  EXPECT_EQ(request.aggregation, SyntheticRun::Calls);
  EXPECT_EQ(request.element, 1U);
  EXPECT_EQ(press(Kind::Backspace).kind, LiveRequest::Kind::Back);
  EXPECT_EQ(press(U's').kind, LiveRequest::Kind::SaveScript);
  EXPECT_EQ(press(U'h').kind, LiveRequest::Kind::SaveReport);
  EXPECT_EQ(press(U'p').kind, LiveRequest::Kind::Pause);
  EXPECT_EQ(press(U' ').kind, LiveRequest::Kind::Pause);
  EXPECT_EQ(press(U'q').kind, LiveRequest::Kind::Quit);
}

TEST_F(ScreenTest, ShowsHistogramsAndHeatMaps) {
  press(U'2');
  EXPECT_TRUE(shows("all keys")) << text();
  EXPECT_TRUE(shows("p99 < ")) << text();
  EXPECT_TRUE(shows("█")) << text();
  EXPECT_EQ(press(Kind::Enter).kind, LiveRequest::Kind::Nothing);
  press(Kind::Down);
  EXPECT_EQ(press(Kind::Enter).aggregation, SyntheticRun::Latency);
  press(U'm');
  EXPECT_TRUE(shows("500 ms a column")) << text();
  EXPECT_TRUE(shows("now")) << text();
  press(U'-');
  EXPECT_TRUE(shows("1 s a column")) << text();
  bool has_heat = false;
  Canvas drawn = canvas();
  for (int row = 0; row < size_.rows; ++row)
    for (int column = 0; column < size_.columns; ++column)
      has_heat = has_heat || drawn.at(row, column).style >= ScreenStyle::Heat;
  EXPECT_TRUE(has_heat);
  mode_.has_palette = false;
  EXPECT_TRUE(shows("▓")) << text();
  mode_.is_unicode = false;
  EXPECT_TRUE(shows("#")) << text();
}

TEST_F(ScreenTest, ExpandsStacks) {
  press(U'3');
  EXPECT_TRUE(shows("▸ postgres")) << text();
  EXPECT_FALSE(shows("vfs_read")) << text();
  press(U'e');
  EXPECT_TRUE(selected().ends_with("vmlinux`_copy_to_iter")) << text();
  press(U'c');
  press(Kind::Right);
  EXPECT_TRUE(shows("vmlinux`do_syscall_64")) << text();
  press(Kind::Left);
  EXPECT_FALSE(shows("vmlinux`do_syscall_64")) << text();
  press(U'i');
  EXPECT_TRUE(shows("▸ vmlinux`_copy_to_iter")) << text();
  press(U't');
  EXPECT_TRUE(shows("vmlinux`_copy_to_iter < ")) << text();
  press(U't');
  type(U"/futex");
  press(Kind::Enter);
  EXPECT_TRUE(shows("futex_wait_queue")) << text();
  EXPECT_FALSE(shows("_copy_to_iter")) << text();
}

TEST_F(ScreenTest, LogFollowsTheEndUntilItIsScrolled) {
  press(U'7');
  EXPECT_TRUE(shows("row 24 open")) << text();
  EXPECT_TRUE(shows("lines")) << text();
  press(Kind::Up);
  model_.add(run_.next());
  EXPECT_FALSE(shows("row 27 open")) << text();
  press(Kind::End);
  EXPECT_TRUE(shows("row 27 open")) << text();
  type(U"/row 2 ");
  press(Kind::Enter);
  EXPECT_TRUE(shows("row 2 open")) << text();
  press(U'G');
  type(U"/open");
  press(Kind::Enter);
  EXPECT_NE(line(21).find("▶row 27"), std::string::npos) << text();
  press(U'n');
  EXPECT_NE(text().find("▶row 26"), std::string::npos) << text();
  press(U'N');
  EXPECT_NE(text().find("▶row 27"), std::string::npos) << text();
}

TEST_F(ScreenTest, WarnsAboutDropsAndFaults) {
  RunUpdate update{.time_ns = model_.last_time_ns()};
  update.drops.push_back({.count = 1234});
  model_.add(update);
  Canvas drawn = canvas();
  std::string status = drawn.line(22);
  size_t column = status.find("drops 1,234");
  ASSERT_NE(column, std::string::npos) << status;
  EXPECT_EQ(drawn.at(22, static_cast<int>(column)).style, ScreenStyle::Warning);
  EXPECT_EQ(drawn.at(22, static_cast<int>(status.find("faults"))).style, ScreenStyle::Status);
}

TEST_F(ScreenTest, MouseSelectsTabsRowsAndColumns) {
  auto click = [&](int row, int column) {
    screen_.handle({.kind = Kind::Click, .row = row, .column = column}, model_);
  };
  canvas();
  click(4, 3);
  EXPECT_TRUE(selected() == line(4)) << text();
  click(1, 2);
  EXPECT_NE(line(1).find("execname▲"), std::string::npos) << line(1);
  click(0, 12);
  EXPECT_TRUE(shows("all keys")) << text();
  screen_.handle({.kind = Kind::WheelDown, .row = 5, .column = 5}, model_);
  EXPECT_FALSE(shows("all keys")) << text();
  click(0, 78);
  EXPECT_TRUE(shows("Everywhere")) << text();
}

TEST_F(ScreenTest, FitsSmallAndLargeScreens) {
  for (ScreenSize size : {ScreenSize{10, 40}, ScreenSize{50, 200}, ScreenSize{3, 10}, ScreenSize{4, 12}}) {
    size_ = size;
    for (char32_t tab = U'1'; tab <= U'7'; ++tab) {
      press(tab);
      text();
      press(U'm');
      press(U'?');
      text();
      press(Kind::Escape);
      press(Kind::PageDown);
      text();
    }
  }
  size_ = {.rows = 10, .columns = 40};
  press(U'1');
  press(Kind::Home);
  EXPECT_TRUE(shows("postgres")) << text();
  EXPECT_TRUE(line(8).find("drops") != std::string::npos) << text();
}

TEST_F(ScreenTest, ASecondRunKeepsWhatTheUserHasChosen) {
  press(U'u');
  press(U'>');
  type(U"/worker-");
  press(Kind::Enter);
  SyntheticRun run;
  RunModel model{SyntheticRun::start()};
  model.add(run.next());
  screen_.begin_run(model);
  Canvas drawn = screen_.draw(model, status_, size_, mode_);
  EXPECT_NE(drawn.line(1).find("rate/s▼"), std::string::npos) << drawn.line(1);
  EXPECT_TRUE(drawn.line(2).starts_with("worker-")) << drawn.line(2);
}

// Any keys in any order, on any screen, while elements appear and disappear.
TEST_F(ScreenTest, SurvivesAnyKeys) {
  std::minstd_rand random{1};
  const std::u32string characters = U"1234567<>rumteic+-/nNgGjk? pshx*\u65e5";
  for (int i = 0; i < 5000; ++i) {
    if (random() % 4 == 0) {
      KeyPress key{.kind = static_cast<Kind>(random() % (static_cast<unsigned>(Kind::WheelDown) + 1)),
                   .character = U'e',
                   .row = static_cast<int>(random() % 60) - 1,
                   .column = static_cast<int>(random() % 220) - 1};
      screen_.handle(key, model_);
    } else {
      press(characters[random() % characters.size()]);
    }
    if (random() % 8 == 0) model_.add(run_.next());
    if (random() % 50 == 0) {
      auto aggregation = static_cast<uint32_t>(random() % 6);
      auto element = static_cast<uint32_t>(random() % model_.aggregations()[aggregation].elements.size());
      model_.add({.time_ns = model_.last_time_ns() + 1,
                  .changes = {{.aggregation = aggregation, .element = element, .value = {}, .is_removed = true}}});
    }
    if (random() % 16 == 0)
      size_ = {.rows = static_cast<int>(random() % 60), .columns = static_cast<int>(random() % 220)};
    mode_.is_unicode = random() % 8 != 0;
    status_.path.assign(random() % 3, "execname = something long");
    Canvas drawn = canvas();
    ASSERT_EQ(drawn.size(), size_);
  }
}

TEST_F(ScreenTest, ListsDropsAndFaultsOnce) {
  press(U'!');
  EXPECT_TRUE(shows("none so far")) << text();
  RunUpdate update{.time_ns = model_.last_time_ns()};
  update.drops = {{.time_ns = update.time_ns, .text = "3 drops on CPU 1", .kind = "DTRACEDROP_PRINCIPAL", .count = 3}};
  update.faults.assign(2, {.time_ns = update.time_ns, .text = "invalid address (0x10)\x1b"});
  model_.add(update);
  EXPECT_TRUE(line(2).ends_with("3 drops on CPU 1")) << text();
  EXPECT_TRUE(line(3).ends_with("    2x  invalid address (0x10)^[")) << text();
  press(U'!');
  EXPECT_TRUE(line(1).starts_with("execname")) << text();
}

TEST_F(ScreenTest, HelpListsTheKeys) {
  press(U'?');
  EXPECT_TRUE(shows("drill down into the selected row") || shows("Everywhere")) << text();
  press(Kind::End);
  EXPECT_TRUE(shows("Mouse")) << text();
  press(Kind::Escape);
  EXPECT_FALSE(shows("Mouse")) << text();
}

}  // namespace
}  // namespace dscope::test
