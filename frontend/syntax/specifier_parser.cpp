#include "frontend/syntax/specifier_parser.h"

#include "frontend/syntax/declarator_parser.h"
#include "frontend/syntax/expression_parser.h"
#include "frontend/syntax/process_word.h"

namespace dscope {

namespace {

bool has_tag_or_name(const DeclSpecifiers& specifiers) {
  return !std::holds_alternative<std::monostate>(specifiers.type);
}

bool has_type(const DeclSpecifiers& specifiers) {
  return has_tag_or_name(specifiers) || specifiers.basic != BasicType::None || specifiers.is_signed ||
         specifiers.is_unsigned || specifiers.is_short || specifiers.long_count > 0;
}

// Words that may start a type-name.
bool is_type_keyword(TokenKind kind) {
  switch (kind) {
    case TokenKind::KeyVoid:
    case TokenKind::KeyChar:
    case TokenKind::KeyShort:
    case TokenKind::KeyInt:
    case TokenKind::KeyLong:
    case TokenKind::KeyFloat:
    case TokenKind::KeyDouble:
    case TokenKind::KeySigned:
    case TokenKind::KeyUnsigned:
    case TokenKind::KeyString:
    case TokenKind::KeyStruct:
    case TokenKind::KeyUnion:
    case TokenKind::KeyEnum:
    case TokenKind::KeyConst:
    case TokenKind::KeyVolatile:
    case TokenKind::KeyRestrict: return true;
    default: return false;
  }
}

StorageClass storage_class(TokenKind kind) {
  switch (kind) {
    case TokenKind::KeyAuto: return StorageClass::Auto;
    case TokenKind::KeyRegister: return StorageClass::Register;
    case TokenKind::KeyStatic: return StorageClass::Static;
    case TokenKind::KeyExtern: return StorageClass::Extern;
    case TokenKind::KeyTypedef: return StorageClass::Typedef;
    case TokenKind::KeySelf: return StorageClass::Self;
    case TokenKind::KeyThis: return StorageClass::This;
    default: return StorageClass::None;
  }
}

BasicType basic_type(TokenKind kind) {
  switch (kind) {
    case TokenKind::KeyVoid: return BasicType::Void;
    case TokenKind::KeyChar: return BasicType::Char;
    case TokenKind::KeyInt: return BasicType::Int;
    case TokenKind::KeyFloat: return BasicType::Float;
    case TokenKind::KeyDouble: return BasicType::Double;
    case TokenKind::KeyString: return BasicType::String;
    default: return BasicType::None;
  }
}

std::optional<TagKind> tag_kind(TokenKind kind) {
  switch (kind) {
    case TokenKind::KeyStruct: return TagKind::Struct;
    case TokenKind::KeyUnion: return TagKind::Union;
    case TokenKind::KeyEnum: return TagKind::Enum;
    default: return std::nullopt;
  }
}

}  // namespace

bool SpecifierParser::at_type_start() { return is_type_keyword(peek().kind) || tokens_.names_type(peek()); }

// Looks up as few names as possible: for `(x + 1)`, the characters after x already rule out a cast.
bool SpecifierParser::at_cast_type() {
  if (peek().kind == TokenKind::Identifier && !tokens_.lexer().may_end_cast()) return false;
  return at_type_start();
}

// decl-specs = { storage | type-spec | qualifier } ;   at least one
DeclSpecifiers* SpecifierParser::parse_decl_specifiers(Storage storage) {
  DeclSpecifiers& specifiers = program_.specifiers.emplace_back();
  uint32_t begin = peek().range.begin;
  if (!parse_specifier_word(specifiers, storage)) syntax_error(peek());
  while (!failed() && parse_specifier_word(specifiers, storage)) {
  }
  specifiers.at = position_since(begin);
  if (!failed()) check_combination(specifiers, specifiers.at);
  return &specifiers;
}

// Parses one word into `specifiers`. Returns false if the next token is not a specifier.
bool SpecifierParser::parse_specifier_word(DeclSpecifiers& specifiers, Storage storage) {
  const Token& next = peek();
  TokenKind kind = next.kind;
  if (StorageClass wanted = storage_class(kind); wanted != StorageClass::None) {
    if (storage == Storage::Forbidden) return false;
    set_storage(specifiers, wanted, take());
    return true;
  }
  if (kind == TokenKind::Identifier || kind == TokenKind::TypeWord) {
    // After a type, the next identifier is the declared name.
    if (has_type(specifiers) || !(accepts_unknown_types_ || tokens_.names_type(next) || is_scoped(next.text)))
      return false;
    set_named_type(specifiers, take());
    return true;
  }
  if (!is_type_keyword(kind)) return false;
  if (BasicType basic = basic_type(kind); basic != BasicType::None) {
    set_basic(specifiers, basic, take());
    return true;
  }
  Token word = take();
  switch (kind) {
    case TokenKind::KeyConst: specifiers.is_const = true; break;
    case TokenKind::KeyVolatile: specifiers.is_volatile = true; break;
    case TokenKind::KeyRestrict: specifiers.is_restrict = true; break;
    case TokenKind::KeySigned: specifiers.is_signed = true; break;
    case TokenKind::KeyUnsigned: specifiers.is_unsigned = true; break;
    case TokenKind::KeyShort: specifiers.is_short = true; break;
    case TokenKind::KeyLong: ++specifiers.long_count; break;
    default:
      if (reject_second_type(specifiers, word)) break;
      parse_tag_specifier(specifiers, *tag_kind(kind));
  }
  return true;
}

void SpecifierParser::set_storage(DeclSpecifiers& specifiers, StorageClass storage, const Token& word) {
  if (specifiers.storage != StorageClass::None)
    return error(Tag::D_DECL_CLASS, word.at(), "only one storage class is permitted in a declaration");
  specifiers.storage = storage;
}

bool SpecifierParser::reject_second_type(const DeclSpecifiers& specifiers, const Token& word) {
  if (specifiers.basic == BasicType::None && !has_tag_or_name(specifiers)) return false;
  error(Tag::D_DECL_COMBO, word.at(), "invalid combination of types: `{}` follows another type", to_string(word.kind));
  return true;
}

void SpecifierParser::set_basic(DeclSpecifiers& specifiers, BasicType basic, const Token& word) {
  if (!reject_second_type(specifiers, word)) specifiers.basic = basic;
}

void SpecifierParser::set_named_type(DeclSpecifiers& specifiers, const Token& word) {
  if (word.text == "userland" && !names_.is_type(word.text)) {
    specifiers.is_userland = true;
    return;
  }
  NamedType type;
  split_type_word(word, type.module, type.name);
  // pid123`struct foo is the same type as struct pid123`foo.
  TokenKind keyword = type.module.empty() ? TokenKind::Identifier : keyword_kind(type.name);
  if (auto kind = tag_kind(keyword)) {
    specifiers.type = TagSpecifier{.kind = *kind, .module = type.module, .tag = expect(TokenKind::Identifier).text};
    return;
  }
  specifiers.type = std::move(type);
}

// Splits mod`name, which has one backquote with text on both sides, and pid123`object`name.
void SpecifierParser::split_type_word(const Token& word, std::string& module, std::string& name) {
  size_t mark = is_process_word(word.text) ? end_of_process_module(word.text) : word.text.find('`');
  if (mark == std::string::npos) {
    name = word.text;
    return;
  }
  module = word.text.substr(0, mark);
  name = word.text.substr(mark + 1);
  if (module.empty() || name.empty() || is_scoped(name)) syntax_error(word);
}

// Reports words that are never valid together, whatever types the names denote.
void SpecifierParser::check_combination(const DeclSpecifiers& specifiers, const Position& at) {
  BasicType basic = specifiers.basic;
  bool has_sign = specifiers.is_signed || specifiers.is_unsigned;
  bool has_length = specifiers.is_short || specifiers.long_count > 0;
  const auto* tag = std::get_if<TagSpecifier>(&specifiers.type);
  if (basic == BasicType::Char && has_length)
    return error(Tag::D_DECL_CHARATTR, at, "short and long cannot be used with type char");
  if (basic == BasicType::Void && (has_length || has_sign))
    return error(Tag::D_DECL_VOIDATTR, at, "attributes such as signed or long cannot be used with type void");
  bool is_integer = basic == BasicType::None || basic == BasicType::Int || basic == BasicType::Char;
  if (has_sign && (!is_integer || tag != nullptr))
    return error(Tag::D_DECL_SIGNINT, at, "signed and unsigned can only be used with integer types");
  if (has_length && (basic == BasicType::String || tag != nullptr))
    return error(Tag::D_DECL_LONGINT, at, "{} can only be used with arithmetic types",
                 specifiers.is_short ? "short" : "long");
}

// sou-spec | enum-spec, after the keyword.
void SpecifierParser::parse_tag_specifier(DeclSpecifiers& specifiers, TagKind kind) {
  Nesting nesting(tokens_);
  TagSpecifier type;
  type.kind = kind;
  if (at(TokenKind::Identifier)) {
    Token word = take();
    split_type_word(word, type.module, type.tag);
    if (!type.module.empty() && at(TokenKind::LeftBrace)) syntax_error(word);
  } else if (!at(TokenKind::LeftBrace)) {
    syntax_error(peek());
  }
  if (accept(TokenKind::LeftBrace)) {
    type.has_body = true;
    if (kind == TagKind::Enum) parse_enumerators(type);
    else parse_members(type);
    expect(TokenKind::RightBrace);
  }
  specifiers.type = std::move(type);
}

// { spec-qual-list [ member-declarator { "," member-declarator } ] ";" }
void SpecifierParser::parse_members(TagSpecifier& type) {
  do {
    DeclSpecifiers* specifiers = parse_decl_specifiers(Storage::Forbidden);
    if (at(TokenKind::Semicolon)) {
      // An unnamed struct or union member; the checker rejects other types.
      type.members.push_back({.specifiers = specifiers, .at = position_before_next(specifiers->at.range.begin)});
    } else {
      do {
        type.members.push_back(parse_member_declarator(specifiers));
      } while (accept(TokenKind::Comma));
    }
    expect(TokenKind::Semicolon);
  } while (!at(TokenKind::RightBrace) && !failed());
}

// member-declarator = declarator [ ":" const-expr ] | ":" const-expr ;
MemberDecl SpecifierParser::parse_member_declarator(DeclSpecifiers* specifiers) {
  MemberDecl member;
  member.specifiers = specifiers;
  uint32_t begin = peek().range.begin;
  if (!at(TokenKind::Colon)) member.declarator = declarators_.parse_declarator(Naming::Required);
  if (accept(TokenKind::Colon)) member.bit_width = expressions_.parse_conditional();
  member.at = position_before_next(begin);
  return member;
}

// enumerator { "," enumerator } [ "," ] ;   enumerator = IDENT [ "=" assignment ] ;
void SpecifierParser::parse_enumerators(TagSpecifier& type) {
  do {
    Enumerator enumerator;
    Token name = expect(TokenKind::Identifier);
    tokens_.reject_scoped(name);
    enumerator.name = name.text;
    if (accept(TokenKind::Assign)) enumerator.value = expressions_.parse_assignment();
    enumerator.at = position_before_next(name.range.begin);
    names_.add_identifier(name.text);
    type.enumerators.push_back(std::move(enumerator));
    if (!accept(TokenKind::Comma)) break;
  } while (!at(TokenKind::RightBrace) && !failed());
}

}  // namespace dscope
