// Types of expressions (d-language.md 3, 4).
#include "check_text.h"

namespace dscope {
namespace {

TEST(Types, ConstantsHaveCTypes) {
  EXPECT_EQ(type_of("x = 1"), "int");
  EXPECT_EQ(type_of("x = 2147483648"), "long");
  EXPECT_EQ(type_of("x = 1u"), "unsigned int");
  EXPECT_EQ(type_of("x = 0xffffffff"), "unsigned int");
  EXPECT_EQ(type_of("x = 1ull"), "unsigned long long");
  EXPECT_EQ(type_of("x = 'a'"), "int");
  EXPECT_EQ(type_of("x = \"a\""), "string");
  EXPECT_EQ(type_of("x = NULL"), "long");
}

TEST(Types, BuiltinVariablesHaveTheirTypes) {
  EXPECT_EQ(type_of("x = pid"), "pid_t");
  EXPECT_EQ(type_of("x = timestamp"), "uint64_t");
  EXPECT_EQ(type_of("x = arg0"), "int64_t");
  EXPECT_EQ(type_of("x = execname"), "string");
  EXPECT_EQ(type_of("x = curthread"), "struct task_struct *");
}

TEST(Types, IntegersAreNotPromoted) {
  const char* declarations = "char c; unsigned char uc; short s; unsigned u; long l; unsigned long ul;";
  EXPECT_EQ(type_of("x = c + c", declarations), "char");
  EXPECT_EQ(type_of("x = uc + c", declarations), "unsigned char");
  EXPECT_EQ(type_of("x = c + uc", declarations), "unsigned char");
  EXPECT_EQ(type_of("x = s * c", declarations), "short");
  EXPECT_EQ(type_of("x = u + 1", declarations), "unsigned int");
  EXPECT_EQ(type_of("x = u + l", declarations), "long");
  EXPECT_EQ(type_of("x = l | ul", declarations), "unsigned long");
  EXPECT_EQ(type_of("x = timestamp - 1", declarations), "uint64_t");
}

TEST(Types, ShiftsKeepTheLeftType) {
  EXPECT_EQ(type_of("x = c << 40", "char c;"), "char");
  EXPECT_EQ(type_of("x = 1 << timestamp"), "int");
}

TEST(Types, TruthValuesAreInt) {
  EXPECT_EQ(type_of("x = timestamp == 1"), "int");
  EXPECT_EQ(type_of("x = timestamp && 1"), "int");
  EXPECT_EQ(type_of("x = !timestamp"), "int");
  EXPECT_EQ(type_of("x = execname == \"a\""), "int");
  EXPECT_EQ(type_of("x = strstr(\"a\", \"b\") == NULL"), "int");
  EXPECT_EQ(type_of("x = pid ^^ tid"), "int");
}

TEST(Types, EnumsConvertToInt) {
  EXPECT_EQ(type_of("x = RED", "enum color { RED };"), "enum color");
  EXPECT_EQ(type_of("x = RED + 1", "enum color { RED };"), "int");
}

TEST(Types, PointersAreTyped) {
  EXPECT_EQ(type_of("x = curthread + 1"), "struct task_struct *");
  EXPECT_EQ(type_of("x = 1 + curthread"), "struct task_struct *");
  EXPECT_EQ(type_of("x = curthread - curthread"), "ptrdiff_t");
  EXPECT_EQ(type_of("x = *curthread"), "struct task_struct");
  EXPECT_EQ(type_of("x = &curthread->pid"), "pid_t *");
  EXPECT_EQ(type_of("x = curthread->comm + 1"), "char *");
  EXPECT_EQ(type_of("x = 1 ? curthread : 0"), "struct task_struct *");
  EXPECT_EQ(type_of("x = 1 ? (void *)0 : curthread"), "struct task_struct *");
}

TEST(Types, MembersAreTyped) {
  EXPECT_EQ(type_of("x = curthread->parent->pid"), "pid_t");
  EXPECT_EQ(type_of("x = curthread->thread_info.cpu"), "u32");
  EXPECT_EQ(type_of("x = curthread->inner_first"), "u32") << "through an unnamed member";
  EXPECT_EQ(type_of("x = curthread->comm[0]"), "char");
}

TEST(Types, StringsActLikeCharPointers) {
  EXPECT_EQ(type_of("x = \"abc\"[1]"), "char");
  EXPECT_EQ(type_of("x = *execname"), "char");
  EXPECT_EQ(type_of("x = execname + 1"), "string");
  EXPECT_EQ(type_of("x = 1 ? curthread->comm : \"a\""), "string");
  EXPECT_EQ(type_of("x = stringof(curthread->comm)"), "string");
  EXPECT_EQ(type_of("x = (string)curthread->comm"), "string");
}

TEST(Types, SubroutinesReturnTheirTypes) {
  EXPECT_EQ(type_of("x = strlen(execname)"), "size_t");
  EXPECT_EQ(type_of("x = strjoin(\"a\", curthread->comm)"), "string");
  EXPECT_EQ(type_of("x = copyin(arg0, 4)"), "void *");
  EXPECT_EQ(type_of("x = index(\"a\", \"b\")"), "int");
}

TEST(Types, ArgsFollowTheProbe) {
  CheckedText checked("syscall::read:entry, syscall::open:entry { this->x = args[1]; }");
  // With the second description args[0] is an int, which the pointer variable of the first description cannot hold.
  EXPECT_EQ(checked.tag(), "D_OP_INCOMPAT");
  CheckedText casts("syscall::read:entry, syscall::open:entry { this->x = (int64_t)args[1]; }");
  ASSERT_FALSE(casts.failed()) << casts.rendered();
  auto argument_type = [&](size_t instance) {
    const auto& assign = std::get<Assign>(casts.statement(0, instance).form);
    return casts.type_name(casts.info(*std::get<Cast>(assign.rhs->form).operand, instance));
  };
  EXPECT_EQ(argument_type(0), "char *");
  EXPECT_EQ(argument_type(1), "int");
}

TEST(Types, ArgsOfProbesWithEqualSignaturesAreTyped) {
  EXPECT_EQ(tag_of("syscall::read:return, syscall::write:return { trace(args[0]); }"), "none");
  EXPECT_EQ(tag_of("syscall:::return { trace(args[0]); }"), "none");
}

TEST(Types, ComparisonsAcceptKernelEnumerators) {
  CheckedText checked("BEGIN { x = curthread->fake_type == PIDTYPE_SID; }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  const auto& assign = std::get<Assign>(checked.statement().form);
  EXPECT_EQ(checked.info(*std::get<Binary>(assign.rhs->form).rhs).constant, 3U);
}

TEST(Types, EnumeratorsRepeatedByLibrariesAreNotAmbiguous) {
  EXPECT_EQ(type_of("x = curthread->fake_type == PIDTYPE_SID", "inline int PIDTYPE_SID = 3;"), "int");
  EXPECT_EQ(tag_of("inline int PIDTYPE_SID = 4; BEGIN { x = curthread->fake_type == PIDTYPE_SID; }"), "D_IDENT_AMBIG");
}

TEST(Types, SymbolsWithoutTypeAreAddresses) {
  EXPECT_EQ(type_of("x = `max_pfn"), "uintptr_t");
  EXPECT_EQ(type_of("x = `jiffies"), "unsigned long");
  EXPECT_EQ(type_of("x = vmlinux`max_pfn", "extern int max_pfn;"), "int");
  EXPECT_EQ(type_of("x = &`init_task"), "struct task_struct *");
}

TEST(Types, ScopedTypesAreFound) {
  EXPECT_EQ(type_of("x = (struct vmlinux`task_struct *)0"), "struct task_struct *");
  EXPECT_EQ(type_of("x = sizeof(struct D`mine)", "struct mine { int a; };"), "size_t");
}

TEST(Types, MembersAreBoundToTheirOffset) {
  CheckedText checked("BEGIN { trace(curthread->in_iowait); trace(curthread->tgid); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  const ExprInfo& bit = checked.info(*std::get<Call>(checked.statement(0).form).arguments[0]);
  EXPECT_NE(bit.bit_size, 0U);
  EXPECT_EQ(std::get<ResolvedMember>(bit.binding).bit_offset, 128U * 8 + 1);
  const ExprInfo& plain = checked.info(*std::get<Call>(checked.statement(1).form).arguments[0]);
  EXPECT_EQ(plain.bit_size, 0U);
  EXPECT_EQ(std::get<ResolvedMember>(plain.binding).bit_offset, 140U * 8);
}

}  // namespace
}  // namespace dscope
