// stack(), ustack() and the symbol actions (consumer-and-actions.md 3.8, 3.10).
#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {
namespace {

class StackTest : public OutputTest {
 protected:
  StackTest() { set(OptionId::Quiet); }
  std::string run(Action action, const std::function<Field(Layout&)>& value) {
    CannedClause canned = clause();
    canned.action(action, {value(canned.layout)});
    return print(canned);
  }
};

TEST_F(StackTest, PrintsKernelStack) {
  auto frames = [](Layout& l) {
    return l.stack({kernel_base + 0x1010, kernel_base + 0x2000, 0x99, 0, kernel_base + 0x1000});
  };
  EXPECT_EQ(run(Action::Stack, frames),
            "\n"
            "              vmlinux`vfs_read+0x10\n"
            "              vmlinux`ksys_read\n"
            "              0x99\n");
  set(OptionId::Stackindent, 2);
  EXPECT_EQ(run(Action::Stack, frames),
            "\n"
            "  vmlinux`vfs_read+0x10\n"
            "  vmlinux`ksys_read\n"
            "  0x99\n");
}

TEST_F(StackTest, LeadingTracerFramesAreOmitted) {
  uint64_t tracer = kernel_base + 0x9000, code = kernel_base + 0x1000;
  EXPECT_EQ(run(Action::Stack, [&](Layout& l) { return l.stack({tracer, tracer, code, tracer, code}, 2); }),
            "\n"
            "              vmlinux`vfs_read\n"
            "              bpf`bpf_prog_x\n");
}

TEST_F(StackTest, EmptyStackPrintsNewline) {
  EXPECT_EQ(run(Action::Stack, [](Layout& l) { return l.stack({0, 0}); }), "\n");
}

TEST_F(StackTest, PrintsUserStack) {
  auto frames = [](Layout& l) { return l.user_stack(42, {0x4010, 0x5000, 0x7123, 0x99}); };
  EXPECT_EQ(run(Action::Ustack, frames),
            "\n"
            "              prog`main+0x10\n"
            "              prog`helper\n"
            "              libc.so.6`0x7123\n"
            "              0x99\n");
  EXPECT_EQ(run(Action::Ustack, [](Layout& l) { return l.user_stack(42, {0x4010, 0x5000}, 1); }),
            "\n              prog`main+0x10\n");
  EXPECT_EQ(run(Action::Ustack, [](Layout& l) { return l.user_stack(43, {0x4010}); }), "\n              0x4010\n");
}

// The chain of frame pointers ends in data. A probe's own address always prints.
TEST_F(StackTest, UserStackEndsAtAnAddressWithoutCode) {
  EXPECT_EQ(run(Action::Ustack, [](Layout& l) { return l.user_stack(42, {0x4010, 0xdead, 0x5000}); }),
            "\n              prog`main+0x10\n");
  EXPECT_EQ(run(Action::Ustack, [](Layout& l) { return l.user_stack(42, {0xdead}); }), "\n              0xdead\n");
}

TEST_F(StackTest, NoresolvePrintsObjectAndOffset) {
  set(OptionId::Noresolve);
  EXPECT_EQ(run(Action::Ustack, [](Layout& l) { return l.user_stack(42, {0x4010, 0x7123, 0x99}); }),
            "\n"
            "              prog:0x10\n"
            "              libc.so.6:0x123\n"
            "              0x99\n");
}

TEST_F(StackTest, PrintsSymbolActions) {
  auto padded = [](std::string text) {
    text.resize(50, ' ');
    return "  " + text;
  };
  auto kernel = [](uint64_t address, Action action) {
    return [=](Layout& l) { return l.kernel_address(address, action); };
  };
  auto user = [](uint64_t address, Action action) {
    return [=](Layout& l) { return l.user_address(42, address, action); };
  };
  EXPECT_EQ(run(Action::Sym, kernel(kernel_base + 0x1010, Action::Sym)), padded("vmlinux`vfs_read"));
  EXPECT_EQ(run(Action::Func, kernel(kernel_base + 0x4010, Action::Func)), padded("ext4`0xffffffff81004010"));
  EXPECT_EQ(run(Action::Sym, kernel(0x99, Action::Sym)), padded("0x99"));
  EXPECT_EQ(run(Action::Mod, kernel(kernel_base + 0x3010, Action::Mod)), padded("ext4"));
  EXPECT_EQ(run(Action::Mod, kernel(0x99, Action::Mod)), padded("0x99"));
  EXPECT_EQ(run(Action::Usym, user(0x4010, Action::Usym)), padded("prog`main"));
  EXPECT_EQ(run(Action::Ufunc, user(0x7010, Action::Ufunc)), padded("libc.so.6`0x7010"));
  EXPECT_EQ(run(Action::Uaddr, user(0x4010, Action::Uaddr)), padded("prog`main+0x10"));
  EXPECT_EQ(run(Action::Umod, user(0x7010, Action::Umod)), padded("libc.so.6"));
  EXPECT_EQ(run(Action::Umod, user(0x99, Action::Umod)), padded("0x99"));
}

}  // namespace
}  // namespace dscope::test
