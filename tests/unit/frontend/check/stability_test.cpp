// Stability attributes of expressions (d-language.md 11.1) and option amin.
#include "check_text.h"

namespace dscope {
namespace {

// Attributes of `expression` as the only statement of a clause on `probe`.
std::string attributes_in(const std::string& probe, const std::string& expression, const std::string& before = "") {
  CheckedText checked(before + " " + probe + " { " + expression + "; }");
  return checked.failed() ? checked.rendered() : to_string(checked.info(checked.statement()).attributes);
}
std::string attributes_of(const std::string& expression, const std::string& before = "") {
  return attributes_in("dtrace:::BEGIN", expression, before);
}

TEST(Stability, BuiltinsAreStable) {
  for (const char* expression : {"trace(1)", "x = pid + arg0", "trace(\"a\")", "self->y[1] = strlen(execname)",
                                 "@a[tid] = count()", "trace(sizeof(int))"})
    EXPECT_EQ(attributes_of(expression), "Stable/Stable/Common") << expression;
}

TEST(Stability, KernelObjectsArePrivate) {
  EXPECT_EQ(attributes_of("trace(curthread)"), "Stable/Private/Common");
  EXPECT_EQ(attributes_of("trace(curthread->pid)"), "Private/Private/Unknown");
  EXPECT_EQ(attributes_of("x = 1 + curthread->pid"), "Private/Private/Unknown");
  EXPECT_EQ(attributes_of("x = (struct task_struct *)arg0"), "Private/Private/Unknown");
  EXPECT_EQ(attributes_of("trace(`max_pfn)"), "Private/Private/Unknown");
  EXPECT_EQ(attributes_of("trace((int)curthread ? 1 : 2)"), "Stable/Private/Common");
  EXPECT_EQ(attributes_of("x = s.a", "struct s { int a; }; struct s s;"), "Stable/Stable/Common");
}

TEST(Stability, UnevaluatedOperandsAreIgnored) {
  EXPECT_EQ(attributes_of("x = 1 ? pid : curthread->pid"), "Stable/Stable/Common");
  EXPECT_EQ(attributes_of("x = OPT ? curthread->pid : pid", "inline int OPT = 0;"), "Stable/Stable/Common");
  EXPECT_EQ(attributes_of("x = pid ? pid : curthread->pid"), "Private/Private/Unknown");
  EXPECT_EQ(attributes_of("x = 0 ? pid : curthread->pid"), "Private/Private/Unknown");
}

TEST(Stability, ProbeNamesAndArgumentsUseTheProvidersAttributes) {
  EXPECT_EQ(attributes_in("syscall::read:entry", "trace(probeprov)"), "Evolving/Evolving/Common");
  EXPECT_EQ(attributes_in("syscall::read:entry", "trace(probefunc)"), "Private/Private/ISA");
  EXPECT_EQ(attributes_in("syscall::read:entry", "trace(args[0])"), "Private/Private/ISA");
  EXPECT_EQ(attributes_in("dtrace:::BEGIN", "trace(probename)"), "Stable/Stable/Common");
  EXPECT_EQ(attributes_in("BEGIN", "trace(probename)"), "Unstable/Unstable/Common");
  EXPECT_EQ(attributes_in("sys*::read:entry", "trace(probeprov)"), "Unstable/Unstable/Common");
  EXPECT_EQ(attributes_in("1", "trace(probename)"), "Stable/Stable/Common");
}

TEST(Stability, PragmasOverrideAttributes) {
  EXPECT_EQ(attributes_of("trace(x)", "#pragma D attributes Evolving/Private/ISA x\nint x;"), "Evolving/Private/ISA");
  EXPECT_EQ(attributes_of("trace(x)", "inline int x = 3;\n#pragma D attributes Obsolete x\n"),
            "Obsolete/Stable/Common");
}

TEST(Stability, InlinesHaveAttributesOfTheirValues) {
  EXPECT_EQ(attributes_of("trace(x)", "inline int x = curthread->pid;"), "Private/Private/Unknown");
  CheckedText library({{.text = "inline int x = curthread->pid;", .kind = UnitKind::Library, .name = "lib.d"},
                       {.text = "BEGIN { trace(x); }"}});
  ASSERT_FALSE(library.failed()) << library.rendered();
  EXPECT_EQ(to_string(library.info(library.statement()).attributes), "Stable/Stable/Common");
}

TEST(Stability, TranslatedMembersHaveAttributesOfTheirExpressions) {
  const std::string translator =
      "struct o { int a; int b; }; translator struct o < struct task_struct *T > { a = T->pid; b = 1; };";
  EXPECT_EQ(attributes_of("x = xlate <struct o> (curthread).a", translator), "Private/Private/Unknown");
  EXPECT_EQ(attributes_of("x = xlate <struct o> (curthread).b", translator), "Stable/Private/Common");
  CheckedText library({{.text = translator, .kind = UnitKind::Library, .name = "lib.d"},
                       {.text = "dtrace:::BEGIN { x = xlate <struct o> (curthread).a; }"}},
                      {"amin=Stable/Private/Common"});
  ASSERT_FALSE(library.failed()) << library.rendered();
  EXPECT_EQ(to_string(library.info(library.statement()).attributes), "Stable/Private/Common");
}

// A translated argument has the provider's attributes, whatever its members refer to.
TEST(Stability, TranslatedArgumentsUseTheProvidersAttributes) {
  const std::string translator =
      "typedef struct lwpsinfo { int pr_lwpid; } lwpsinfo_t;"
      "translator lwpsinfo_t < struct task_struct *T > { pr_lwpid = T->pid; };";
  CheckedText checked({{.text = translator, .kind = UnitKind::Library, .name = "lib.d"},
                       {.text = "sched:::off-cpu { trace(args[0]->pr_lwpid); }"}});
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  EXPECT_EQ(to_string(checked.info(checked.statement()).attributes), "Evolving/Evolving/ISA");
}

TEST(Stability, AminRejectsLowerAttributes) {
  auto tag = [](const std::string& text, const std::string& least) {
    return CheckedText({{.text = text}}, {"amin=" + least}).tag();
  };
  EXPECT_EQ(tag("dtrace:::BEGIN { trace(curthread); }", "Stable/Private/Common"), "none");
  EXPECT_EQ(tag("dtrace:::BEGIN { trace(curthread); }", "Stable/Stable/Common"), "D_ATTR_MIN");
  EXPECT_EQ(tag("BEGIN { trace(1); }", "Evolving"), "D_ATTR_MIN");
  EXPECT_EQ(tag("BEGIN /curthread->pid/ { trace(1); }", "Unstable/Unstable"), "D_ATTR_MIN");
  EXPECT_EQ(tag("syscall:::entry { trace(1); }", "Evolving/Evolving/Common"), "none");
  EXPECT_EQ(tag("syscall::read:entry { trace(1); }", "Evolving/Evolving/Common"), "D_ATTR_MIN");
  EXPECT_EQ(tag("syscall:::entry { trace(1); }\nsyscall:::entry { trace(probefunc); }", "Evolving/Evolving/Common"),
            "D_ATTR_MIN");
}

// The probe description is checked before the clause body.
TEST(Stability, AminReportsTheFirstExpression) {
  CheckedText description({{.text = "BEGIN\n{ trace(curthread); }"}}, {"amin=Stable"});
  EXPECT_EQ(description.error().at.line, 1U);
  CheckedText node({{.text = "dtrace:::BEGIN\n{ trace(1 +\n(int)curthread); }"}}, {"amin=Stable/Stable"});
  EXPECT_EQ(node.message(),
            "attributes of curthread are Stable/Private/Common, less than the minimum Stable/Stable/Common");
  EXPECT_EQ(node.error().at.line, 3U);
}

}  // namespace
}  // namespace dscope
