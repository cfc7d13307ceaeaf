// Address spaces (d-language.md 3.3): the memory that values point to, and the objects that may be stored to.
#include "check_text.h"

namespace dscope {
namespace {

Space space_of(const std::string& expression, const std::string& declarations = "", const char* probe = "BEGIN") {
  CheckedText checked(declarations + " " + probe + " { this->result = " + expression + "; }");
  EXPECT_FALSE(checked.failed()) << checked.rendered();
  return checked.failed() ? Space::None : checked.value().space;
}

TEST(Spaces, MembersOfTheCurrentTaskAreTrusted) {
  EXPECT_EQ(space_of("curthread"), Space::Trusted);
  EXPECT_EQ(space_of("curthread->parent"), Space::Trusted);
  EXPECT_EQ(space_of("curthread->mm->exe_file"), Space::Trusted);
  EXPECT_EQ(space_of("curthread->fs->root"), Space::Trusted);
  EXPECT_EQ(space_of("*curthread->parent"), Space::Trusted);
}

TEST(Spaces, UntrackedPointersAreKernel) {
  EXPECT_EQ(space_of("curthread + 1"), Space::Kernel);
  EXPECT_EQ(space_of("(struct task_struct *)curthread"), Space::Kernel);
  EXPECT_EQ(space_of("&curthread->pid"), Space::Kernel);
  EXPECT_EQ(space_of("curthread->stack"), Space::Kernel) << "not a pointer to a struct";
  EXPECT_EQ(space_of("curthread->rcu_node.next"), Space::Kernel) << "within a union";
  EXPECT_EQ(space_of("`init_task.parent"), Space::Kernel);
  EXPECT_EQ(space_of("(char *)arg0"), Space::Kernel);
}

TEST(Spaces, VariablesLoseTrust) {
  CheckedText checked("BEGIN { x = curthread; trace(x->pid); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_EQ(checked.variable("x").pointee, Space::Kernel);
  const Expr& member = *std::get<Call>(checked.statement(1).form).arguments[0];
  EXPECT_EQ(checked.info(*std::get<Member>(member.form).base).space, Space::Kernel);
}

TEST(Spaces, DistinguishesScratchAndStorage) {
  EXPECT_EQ(space_of("copyin(arg0, 8)"), Space::Scratch);
  EXPECT_EQ(space_of("(int *)copyin(arg0, 8) + 1"), Space::Scratch);
  EXPECT_EQ(space_of("&a[1]", "int a[4];"), Space::Storage);
  EXPECT_EQ(space_of("strjoin(\"a\", \"b\")"), Space::Storage);
  EXPECT_EQ(space_of("execname"), Space::Storage);
}

TEST(Spaces, MarksUserMemory) {
  EXPECT_EQ(space_of("args[1]", "", "syscall::read:entry"), Space::User);
  EXPECT_EQ(space_of("args[1] + 1", "", "syscall::read:entry"), Space::User);
  EXPECT_EQ(space_of("(userland char *)arg0"), Space::User);
  EXPECT_EQ(space_of("args[0]", "", "rawtp:::sched_wakeup"), Space::Kernel);
}

TEST(Spaces, TernaryJoins) {
  EXPECT_EQ(space_of("pid ? curthread : 0"), Space::Trusted);
  EXPECT_EQ(space_of("pid ? curthread : curthread->parent"), Space::Trusted);
  EXPECT_EQ(space_of("pid ? curthread : (struct task_struct *)arg0"), Space::Kernel);
}

TEST(Spaces, StoresNeedScratchOrStorage) {
  EXPECT_EQ(tag_of("BEGIN { p = (int *)copyin(arg0, 8); *p = 1; p[1] = 2; }"), "none");
  EXPECT_EQ(tag_of("struct s { int a; }; BEGIN { p = (struct s *)copyin(arg0, 8); p->a = 1; }"), "none");
  EXPECT_EQ(tag_of("int a[4]; BEGIN { p = &a[0]; *p = 1; }"), "none");
  EXPECT_EQ(tag_of("BEGIN { *(int *)arg0 = 1; }"), "D_OP_WRITE");
  EXPECT_EQ(tag_of("struct s { int a; int b[3]; }; struct s v; BEGIN { v.a = 1; v.b[2] = 3; }"), "none");
}

TEST(Spaces, VariablesDoNotMixScratchWithOtherMemory) {
  EXPECT_EQ(tag_of("BEGIN { p = (char *)copyin(arg0, 8); p = 0; }"), "none");
  EXPECT_EQ(tag_of("BEGIN { p = (char *)copyin(arg0, 8); p = (char *)arg0; }"), "D_ALLOCA_INCOMPAT");
  EXPECT_EQ(tag_of("BEGIN { p = curthread->parent; p = (struct task_struct *)arg0; }"), "none");
}

TEST(Spaces, PointersInScratchMemoryMayPointAnywhere) {
  const char* node = "struct node { struct node *next; int *value; }; struct node *list;";
  auto tag = [&](const std::string& statements) { return tag_of(node + (" BEGIN { " + statements + " }")); };
  const std::string make = "list = (struct node *)alloca(16); ";
  EXPECT_EQ(space_of("((struct node *)copyin(arg0, 16))->next", "struct node { struct node *next; };"), Space::Loaded);
  EXPECT_EQ(tag(make + "list = list->next; list->next->next = list; *list->value = 1;"), "none");
  EXPECT_EQ(tag(make + "bcopy(\"abc\", list->value, 4);"), "none");
  EXPECT_EQ(tag(make + "trace(list->next - list);"), "none");
  EXPECT_EQ(tag(make + "list->next = (struct node *)arg0; list = list->next; list = (struct node *)arg1;"), "none");
}

TEST(Spaces, UserAndKernelJoinToKernel) {
  CheckedText checked("char *p; syscall::read:entry { p = args[1]; } BEGIN { p = (char *)arg0; }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_EQ(checked.variable("p").pointee, Space::Kernel);
}

// The first clause is typed before the assignment sets the space of p.
TEST(Spaces, LaterAssignmentsReachEarlierClauses) {
  CheckedText checked("int *p; END { trace(*p); } BEGIN { p = (int *)copyin(arg0, 4); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  const Expr& deref = *std::get<Call>(checked.statement(0).form).arguments[0];
  EXPECT_EQ(checked.info(*std::get<Unary>(deref.form).operand).space, Space::Scratch);
}

TEST(Spaces, LaterAssignmentsReachInlines) {
  CheckedText checked("int *p; inline int v = *p; END { trace(v); } BEGIN { p = (int *)copyin(arg0, 4); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  const Inline& inlined = checked.meaning().inlines.back();
  EXPECT_EQ(inlined.name, "v");
  const Expr& operand = *std::get<Unary>(inlined.value->form).operand;
  EXPECT_EQ(checked.info(operand).space, Space::Scratch);
}

}  // namespace
}  // namespace dscope
