// GuardedSymbolizer: lookups that throw or come after the second signal return numbers.
#include "runtime/format/guarded_symbolizer.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "support/interruption.h"

namespace dscope {
namespace {

// Names every address. Lookups in process 7 throw.
class Names : public Symbolizer {
 public:
  std::string kernel_symbol(uint64_t, bool) override { return "vmlinux`f"; }
  std::string kernel_module(uint64_t) override { return "vmlinux"; }
  std::string user_symbol(uint32_t tgid, uint64_t, bool) override { return check(tgid), "a.out`f"; }
  std::string user_module(uint32_t tgid, uint64_t) override { return check(tgid), "a.out"; }
  uint64_t kernel_symbol_start(uint64_t) override { return 16; }
  uint64_t kernel_module_start(uint64_t) override { return 16; }
  uint64_t user_symbol_start(uint32_t tgid, uint64_t) override { return check(tgid), 16; }
  uint64_t user_module_start(uint32_t tgid, uint64_t) override { return check(tgid), 16; }
  bool is_tracer_frame(uint64_t) override { return true; }
  void process_events() override { throw std::runtime_error("broken stream"); }
  int calls = 0;

 private:
  void check(uint32_t tgid) {
    ++calls;
    if (tgid == 7) throw std::bad_alloc();
  }
};

class GuardedSymbolizerTest : public testing::Test {
 protected:
  ~GuardedSymbolizerTest() override { is_interrupted = false; }
  Names names;
  std::vector<std::string> failures;
  GuardedSymbolizer guarded{names, [this](uint32_t tgid, const Error& error) {
                              failures.push_back(std::to_string(tgid) + " " + error.message());
                            }};
};

TEST_F(GuardedSymbolizerTest, FailureCostsTheNamesOfItsProcess) {
  EXPECT_EQ(guarded.user_symbol(7, 0x20, true), "0x20");
  EXPECT_EQ(guarded.user_module(7, 0x20), "0x20");
  EXPECT_EQ(guarded.user_caller(7, 0x20, true), "0x20");
  EXPECT_EQ(guarded.user_symbol_start(7, 0x20), 0x20u);
  EXPECT_EQ(guarded.user_symbol(8, 0x20, true), "a.out`f");
  EXPECT_EQ(guarded.kernel_symbol(0x20, true), "vmlinux`f");
  EXPECT_EQ(failures, std::vector<std::string>{"7 out of memory"});
  EXPECT_EQ(names.calls, 2);  // none after the failure
}

TEST_F(GuardedSymbolizerTest, FailedEventsAreReported) {
  guarded.process_events();
  EXPECT_EQ(failures, std::vector<std::string>{"0 unexpected failure: broken stream"});
}

TEST_F(GuardedSymbolizerTest, InterruptionEndsLookups) {
  is_interrupted = true;
  EXPECT_EQ(guarded.user_symbol(8, 0x20, true), "0x20");
  EXPECT_EQ(guarded.kernel_symbol(0x20, true), "0x20");
  EXPECT_EQ(guarded.kernel_symbol_start(0x20), 0x20u);
  EXPECT_FALSE(guarded.is_tracer_frame(0x20));
  EXPECT_EQ(guarded.readable("_Z1fv"), "_Z1fv");
  EXPECT_EQ(names.calls, 0);
  EXPECT_TRUE(failures.empty());
}

}  // namespace
}  // namespace dscope
