// Stacks whose words refer to a copy by its number.
#include "runtime/format/copied_stack.h"

#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {
namespace {

class FakeStacks final : public NumberedStacks {
 public:
  std::span<const uint64_t> find(uint32_t number) override {
    return number == 7 ? std::span<const uint64_t>{frames_} : std::span<const uint64_t>{};
  }

 private:
  uint64_t frames_[3] = {0x10, 0x20, 0x30};
};

class CopiedStackTest : public OutputTest {
 protected:
  CopiedStackTest() { symbols.set_numbered_stacks(&stacks_); }

  // The key @[ustack(2)] of process 42.
  static Layout key(uint64_t number, std::vector<uint64_t> frames) {
    Layout layout;
    layout.user_stack(number << 32 | 42, std::move(frames), 2);
    return layout;
  }
  void put(uint32_t id, const Layout& key, int64_t count) { source.put(id, key.bytes(), 0, {count}); }

 private:
  FakeStacks stacks_;
};

TEST_F(CopiedStackTest, KeysWithCopiesAreThoseWithTheSameFrames) {
  Layout layout;
  uint32_t id = add_aggregation(AggregationFunction::Count, {layout.user_stack(0, {0, 0}, 2)});
  put(id, key(0, {0x10, 0x20}), 5);
  put(id, key(7, {0x10, 0x99}), 2);   // known
  put(id, key(8, {0x10, 0x99}), 30);  // forgotten: its own frames count
  put(id, key(9, {0x10, 0x99}), 40);
  Consumer::create(plan, settings, source, symbols, out, messages)->finish(true);
  std::string text = out.take();
  EXPECT_NE(text.find(" 7\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" 70\n"), std::string::npos) << text;
  EXPECT_EQ(text.find(" 5\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace dscope::test
