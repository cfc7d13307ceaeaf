#include "parse_text.h"

namespace dscope {
namespace {

TEST(Expression, HonorsPrecedence) {
  EXPECT_EQ(grouped("a + b * c"), "(a + (b * c))");
  EXPECT_EQ(grouped("a * b + c"), "((a * b) + c)");
  EXPECT_EQ(grouped("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(grouped("a << b + c"), "(a << (b + c))");
  EXPECT_EQ(grouped("a < b << c"), "(a < (b << c))");
  EXPECT_EQ(grouped("a == b < c"), "(a == (b < c))");
  EXPECT_EQ(grouped("a & b == c"), "(a & (b == c))");
  EXPECT_EQ(grouped("a ^ b & c"), "(a ^ (b & c))");
  EXPECT_EQ(grouped("a | b ^ c"), "(a | (b ^ c))");
  EXPECT_EQ(grouped("a && b | c"), "(a && (b | c))");
  EXPECT_EQ(grouped("a ^^ b && c"), "(a ^^ (b && c))");
  EXPECT_EQ(grouped("a || b ^^ c"), "(a || (b ^^ c))");
  EXPECT_EQ(grouped("a ? b : c || d"), "(a ? b : (c || d))");
}

TEST(Expression, ConditionalAndAssignmentAssociateToTheRight) {
  EXPECT_EQ(grouped("a ? b : c ? d : e"), "(a ? b : (c ? d : e))");
  EXPECT_EQ(grouped("a ? b, c : d"), "(a ? (b, c) : d)");
  EXPECT_EQ(grouped("a = b = c"), "(a = (b = c))");
  EXPECT_EQ(grouped("a = b ? c : d"), "(a = (b ? c : d))");
  EXPECT_EQ(grouped("a, b, c"), "((a, b), c)");
}

TEST(Expression, OnlyUnaryExpressionsCanBeAssigned) {
  EXPECT_EQ(tag_of("BEGIN { a + b = c; }"), "D_SYNTAX");
  EXPECT_EQ(tag_of("BEGIN { a ? b : c = d; }"), "D_SYNTAX");
  EXPECT_EQ(tag_of("BEGIN { (int)a = d; }"), "D_SYNTAX");
  EXPECT_EQ(tag_of("BEGIN { (a + b) = c; *a = 1; 1 = 2; self->x[1] = 3; }"), "none");
}

TEST(Expression, ParsesEveryAssignmentOperator) {
  ParsedText parsed("BEGIN { a += 1; a -= 1; a *= 1; a /= 1; a %= 1; a &= 1; a ^= 1; a |= 1; a <<= 1; a >>= 1; }");
  ASSERT_FALSE(parsed.failed());
  const BinaryOp ops[] = {BinaryOp::Add,       BinaryOp::Subtract,  BinaryOp::Multiply, BinaryOp::Divide,
                          BinaryOp::Modulo,    BinaryOp::BitAnd,    BinaryOp::BitXor,   BinaryOp::BitOr,
                          BinaryOp::ShiftLeft, BinaryOp::ShiftRight};
  for (size_t i = 0; i < std::size(ops); ++i) EXPECT_EQ(std::get<Assign>(parsed.statement(i).form).op, ops[i]) << i;
}

TEST(Expression, ParsesPostfixChains) {
  EXPECT_EQ(grouped("curthread->a.b[1][2]->string.self++"), "curthread->a.b[1][2]->string.self++");
  EXPECT_EQ(grouped("trace()"), "trace()");
  EXPECT_EQ(grouped("trace(a, (b, c))"), "trace(a, (b, c))");
  EXPECT_EQ(tag_of("BEGIN { @a[] = count(); }"), "D_SYNTAX");
}

TEST(Expression, ParsesPrefixOperators) {
  EXPECT_EQ(grouped("- -x"), "- -x");
  EXPECT_EQ(grouped("!~*&x"), "!~*&x");
  EXPECT_EQ(grouped("++x + --y"), "(++x + --y)");
  EXPECT_EQ(grouped("-x * y"), "(-x * y)");
}

TEST(Expression, SizeofAndStringofAreUnaryOperators) {
  EXPECT_EQ(grouped("sizeof x + 1"), "(sizeof x + 1)");
  EXPECT_EQ(grouped("sizeof (x)->y + 1"), "(sizeof (x)->y + 1)");
  EXPECT_EQ(grouped("sizeof (int *) + 1"), "(sizeof (int *) + 1)");
  EXPECT_EQ(grouped("stringof x == y"), "(stringof x == y)");
  EXPECT_EQ(grouped("stringof(x)[1]"), "stringof (x)[1]");
}

TEST(Expression, DistinguishesCastsFromParentheses) {
  ParsedText parsed(
      "BEGIN { (pid_t)x; (pid)-x; (unknown)-x; (struct task *)x; (pid_t *)x; (mod`foo *)x; (`sym * x); }");
  ASSERT_FALSE(parsed.failed()) << parsed.message();
  EXPECT_TRUE(std::holds_alternative<Cast>(parsed.statement(0).form));
  EXPECT_TRUE(std::holds_alternative<Binary>(parsed.statement(1).form));
  EXPECT_TRUE(std::holds_alternative<Binary>(parsed.statement(2).form));
  EXPECT_TRUE(std::holds_alternative<Cast>(parsed.statement(3).form));
  EXPECT_TRUE(std::holds_alternative<Cast>(parsed.statement(4).form));
  EXPECT_TRUE(std::holds_alternative<Cast>(parsed.statement(5).form));
  EXPECT_TRUE(std::holds_alternative<Binary>(parsed.statement(6).form));
}

TEST(Expression, VariablesShadowTypes) {
  ParsedText declared("int list_t; BEGIN { (list_t)-1; }");
  EXPECT_TRUE(
      std::holds_alternative<Binary>(std::get<ExprStatement>(declared.external<Clause>(1).body[0]->form).expr->form));
  ParsedText assigned("BEGIN { list_t = 1; x = (list_t)-1; }");
  const auto& assign = std::get<Assign>(assigned.statement(1).form);
  EXPECT_TRUE(std::holds_alternative<Binary>(assign.rhs->form));
  ParsedText plain("BEGIN { x = (list_t)-1; }");
  EXPECT_TRUE(std::holds_alternative<Cast>(std::get<Assign>(plain.statement(0).form).rhs->form));
}

TEST(Expression, TypesAreLookedUpOnlyWhereAllowed) {
  EXPECT_EQ(ParsedText("syscall:::entry { x = foo + bar(baz); self->y = quux->z; w = (foo + 1) * (foo * bar); }")
                .type_questions(),
            0);
}

TEST(Expression, ParametersShadowTypes) {
  ParsedText parsed(
      "inline int f[int list_t] = (list_t)-1; inline int g = (list_t)-1; translator struct s < int task_t > { a = "
      "(task_t)-1; };");
  ASSERT_FALSE(parsed.failed()) << parsed.message();
  EXPECT_TRUE(std::holds_alternative<Binary>(parsed.external<InlineDefinition>(0).value->form));
  EXPECT_TRUE(std::holds_alternative<Cast>(parsed.external<InlineDefinition>(1).value->form));
  EXPECT_TRUE(std::holds_alternative<Binary>(parsed.external<TranslatorDefinition>(2).members[0].value->form));
}

TEST(Expression, ParsesScopedVariablesAndSymbols) {
  ParsedText parsed("BEGIN { self->x; this->string; self; `a; m`b; ``c; o``d; @; @n; }");
  ASSERT_FALSE(parsed.failed()) << parsed.message();
  EXPECT_EQ(std::get<Name>(parsed.statement(0).form).scope, VariableScope::Self);
  EXPECT_EQ(std::get<Name>(parsed.statement(1).form).name, "string");
  EXPECT_EQ(std::get<Name>(parsed.statement(2).form).name, "");
  EXPECT_EQ(std::get<SymbolRef>(parsed.statement(3).form).name, "a");
  EXPECT_EQ(std::get<SymbolRef>(parsed.statement(4).form).object, "m");
  EXPECT_TRUE(std::get<SymbolRef>(parsed.statement(5).form).is_user);
  EXPECT_EQ(std::get<SymbolRef>(parsed.statement(6).form).object, "o");
  EXPECT_EQ(std::get<AggregationRef>(parsed.statement(7).form).name, "_");
  EXPECT_EQ(std::get<AggregationRef>(parsed.statement(8).form).name, "n");
}

TEST(Expression, ParsesOffsetofAndXlate) {
  EXPECT_EQ(grouped("offsetof(struct task, comm)"), "offsetof(struct task, comm)");
  EXPECT_EQ(grouped("offsetof(task_t, comm)"), "offsetof(task_t, comm)");
  EXPECT_EQ(grouped("xlate <task_t *>(curthread)->comm"), "xlate <task_t *>(curthread)->comm");
  EXPECT_EQ(tag_of("BEGIN { offsetof(struct task, comm[1]); }"), "D_SYNTAX");
  EXPECT_EQ(tag_of("BEGIN { offsetof(pid, comm); }"), "D_SYNTAX");
}

TEST(Expression, RejectsReservedWordsAndBadTokens) {
  for (const char* word : {"break", "case", "goto", "while", "return", "import", "counter", "probe", "do", "for"})
    EXPECT_EQ(message_of(std::string("BEGIN { ") + word + "; }"), std::string("syntax error near \"") + word + "\"");
  EXPECT_EQ(message_of("BEGIN { x = 1 2; }"), "syntax error near \"2\"");
  EXPECT_EQ(message_of("BEGIN { trace(1; }"), "syntax error near \";\"");
  EXPECT_EQ(message_of("BEGIN { trace(1)"), "syntax error near end of input");
  EXPECT_EQ(tag_of("BEGIN { \"a\" \"b\"; }"), "D_SYNTAX");
  EXPECT_EQ(tag_of("BEGIN { int x; }"), "D_SYNTAX");
  EXPECT_EQ(tag_of("BEGIN { trace(1)); }"), "D_SYNTAX");
}

// d-language.md 10.2: if the token after a word decides its kind, the message shows the rest of the line.
TEST(Expression, UnknownWordsShowTheRestOfTheLine) {
  EXPECT_EQ(message_of("BEGIN { x = 1 foo bar; }\n"), "syntax error near \"foo bar; }\"");
  EXPECT_EQ(message_of("BEGIN { x = 1 pid; }\n"), "syntax error near \"pid\"");
  EXPECT_EQ(message_of("BEGIN { foo = 1; x = 1 foo bar; }\n"), "syntax error near \"foo\"");
}

}  // namespace
}  // namespace dscope
