// class Parser: every grammar function of d-language.md 2 declared once; private to the parsing files of this folder.
// One token of look-ahead, lexed only when looked at, so that the mode can change between tokens. The first error
// stops the lexer: from then on every token is EndOfFile and all loops end. Functions return nodes, never null.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/syntax/ast.h"
#include "frontend/syntax/lexer.h"
#include "frontend/syntax/parser.h"

namespace dscope {

// One blank-separated word of a control line.
struct ControlWord {
  enum class Kind : uint8_t { Integer, String, Word };
  Kind kind{};
  std::string text;  // without quotes, escapes processed
};

class Parser {
 public:
  Parser(Program& program, UnitId unit, const ParseContext& context, Diagnostics& diagnostics);
  void parse();

 private:
  // Counts one level of nesting for as long as it lives.
  class Nesting {
   public:
    explicit Nesting(Parser& parser);
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  // --- tokens (parser.cpp)
  const Token& peek();
  Token lex();
  Token take();
  bool at(TokenKind kind) { return peek().kind == kind; }
  bool accept(TokenKind kind);
  Token expect(TokenKind kind);
  Token expect_member_name();
  LexMode mode() const;
  void enter(LexMode mode) { mode_ = mode; }
  void leave_to_outer();
  void classify_identifier(Token& token);

  // --- errors (parser.cpp)
  void syntax_error(const Token& near);
  template <typename... Args>
  void error(Tag tag, const Position& at, fmt::format_string<Args...> text, Args&&... args) {
    diagnostics_.error(tag, at, text, std::forward<Args>(args)...);
    stop();
  }
  void stop();
  void too_deep();

  // --- names (parser.cpp)
  void learn_names(const Program& program);
  void learn_names(const DeclSpecifiers& specifiers);
  void learn_declared(const DeclSpecifiers& specifiers, const Declarator& declarator);
  bool is_known_type(const std::string& name);
  bool is_known_identifier(const std::string& name);
  bool look_ahead_says_identifier() const;
  bool names_type(const Token& token);
  bool at_type_start();
  bool at_cast_type();
  void shadow(const Declarator& parameterised);
  void refuse_scoped(const Token& name);

  // --- places
  // The construct that began at `begin` and ended with the last token taken; its line is that token's.
  Position place_since(uint32_t begin) const;
  // The same with the line of the token that follows.
  Position place_before_next(uint32_t begin);

  // --- top level (parser.cpp, parse_clause.cpp)
  void parse_external();
  void check_end();
  void end_mistake(Tag tag, std::string message);
  void add_external(uint32_t begin, decltype(External::form) form);
  void parse_clause();
  void parse_action_list(Clause& clause);
  void missing_actions();

  // --- probe specifiers (probe_specifier_parser.cpp)
  Token classify_outer_word(Token word);
  std::string_view type_prefix(std::string_view word);
  ProbeSpecifier parse_specifier();
  void set_probe_id(ProbeSpecifier& specifier, const Token& token);
  void set_probe_fields(ProbeSpecifier& specifier, const Token& token);
  std::optional<std::string> expand_field(std::string_view field);

  // --- statements (statement_parser.cpp)
  std::vector<Statement*> parse_statements();
  Statement* parse_if();
  std::vector<Statement*> parse_branch();
  Statement* parse_expression_statement();

  // --- expressions (expression_parser.cpp, parse_primary.cpp)
  Expr* parse_expression();
  Expr* parse_assignment();
  Expr* parse_conditional();
  Expr* parse_binary(int min_level);
  Expr* parse_cast();
  Expr* parse_prefix(UnaryOp op);
  Expr* parse_cast_or_parenthesised();
  Expr* parse_sizeof();
  Expr* parse_stringof();
  Expr* finish_parenthesised(const Token& open);
  Expr* parse_postfix(Expr* base);
  Expr* parse_postfix_step(Expr* base);
  Expr* parse_member(Expr* base);
  Expr* parse_primary();
  Expr* parse_scoped_variable(VariableScope scope);
  Expr* parse_word();
  Expr* parse_offsetof();
  Expr* parse_xlate();
  std::vector<Expr*> parse_arguments();
  Expr* make_expr(const Position& at, decltype(Expr::form) form);
  uint32_t height(const Expr& expr) const { return heights_[expr.id.index - first_node_]; }

  // --- declarations (declaration_parser.cpp, specifier_parser.cpp, declarator_parser.cpp)
  void parse_declaration();
  void parse_inline();
  void parse_translator();
  void parse_provider();
  ProviderProbe parse_provider_probe();
  TranslatorMember parse_translator_member();
  TypeName* parse_translator_input(std::string& name);
  enum class Storage : uint8_t { Allowed, Forbidden };
  DeclSpecifiers* parse_decl_specifiers(Storage storage);
  bool parse_specifier_word(DeclSpecifiers& specifiers, Storage storage);
  void set_storage(DeclSpecifiers& specifiers, StorageClass storage, const Token& word);
  void set_basic(DeclSpecifiers& specifiers, BasicType basic, const Token& word);
  void set_named_type(DeclSpecifiers& specifiers, const Token& word);
  void split_type_word(const Token& word, std::string& module, std::string& name);
  bool refuse_second_type(const DeclSpecifiers& specifiers, const Token& word);
  void check_combination(const DeclSpecifiers& specifiers, const Position& at);
  void parse_tag_specifier(DeclSpecifiers& specifiers, TagKind kind);
  void parse_members(TagSpecifier& type);
  MemberDecl parse_member_declarator(DeclSpecifiers* specifiers);
  void parse_enumerators(TagSpecifier& type);
  enum class Naming : uint8_t { Required, Optional, Forbidden };
  Declarator* parse_declarator(Naming naming);
  void parse_declarator_into(Declarator& declarator, Naming naming);
  void parse_direct_declarator(Declarator& declarator, Naming naming);
  bool at_parameters();
  PointerPart parse_pointer();
  void parse_array_part(Declarator& declarator);
  FunctionPart parse_function_part();
  bool parse_parameters(std::vector<Parameter>& parameters);
  Parameter parse_parameter();
  TypeName* parse_type_name();

  // --- macros (macro_expander.cpp)
  Token expand_macro(Token macro);
  Token expand_argument(Token macro);
  Token expand_variable(Token macro);
  Token expand_process_word(Token word);
  Token process_type_word(Token word, size_t length);
  Token relex_argument(Token macro, std::string_view text);
  const std::string* macro_argument(uint64_t index);
  std::optional<uint64_t> macro_variable(std::string_view name) const;

  // --- control lines (control_lines.cpp)
  void control_line(const Token& line);
  void line_directive(const Token& line, const std::vector<ControlWord>& words, size_t first);
  void error_directive(const Token& line, const std::vector<ControlWord>& words, size_t first);
  void pragma(const Token& line, const std::vector<ControlWord>& words);
  void pragma_d(const Token& line, const std::vector<ControlWord>& words);
  void pragma_option(const Token& line, const std::vector<ControlWord>& words);
  void pragma_depends_on(const Token& line, const std::vector<ControlWord>& words);
  bool check_pragma_shape(const Token& line, const std::vector<ControlWord>& words);
  void keep_pragma(const Token& line, const std::vector<ControlWord>& words);

  Program& program_;
  ProgramUnit unit_;
  const SourceUnit& source_;
  const ParseContext& context_;
  ParseOptions fallback_options_;
  ParseOptions& options_;
  Diagnostics& diagnostics_;
  Lexer lexer_;

  LexMode mode_ = LexMode::Outer;
  std::optional<Token> peeked_;
  std::optional<Token> pending_;  // second token of a macro argument such as -5
  Position last_;                 // of the last token taken
  TokenKind last_kind_ = TokenKind::EndOfFile;
  uint32_t parens_ = 0, brackets_ = 0;
  bool in_declarator_brackets_ = false;
  bool in_expressions_ = false;  // identifiers seen here stay identifiers (d-language.md 1.2, step 6)
  bool failed_ = false;
  bool has_definition_ = false;       // D_EMPTY
  bool takes_unknown_types_ = false;  // within a provider definition, if ParseOptions says so
  bool last_argument_used_ = false;   // D_MACRO_UNUSED
  uint32_t depth_ = 0;
  bool in_header_ = false;     // the construct being parsed began in an included file
  uint32_t header_depth_ = 0;  // how many included files the last token is in

  uint32_t first_node_;
  std::vector<uint32_t> heights_;  // of the unit's expression trees, by node
  std::unordered_set<std::string> declared_types_;
  std::unordered_set<std::string> identifiers_;
  std::unordered_set<std::string> shadowing_;  // parameters of the definition being parsed
  std::unordered_map<std::string, bool> asked_types_, asked_identifiers_;
};

}  // namespace dscope
