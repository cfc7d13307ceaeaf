#include "codegen/core/demangle.h"

#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "codegen/core/demangle_child.h"

namespace dscope {

namespace {

// "::h" and 16 hexadecimal digits. Rust's legacy mangling follows that of C++, except that every name ends like this.
constexpr size_t hash_length = 19;

bool ends_with_hash(std::string_view name) {
  if (name.size() <= hash_length) return false;
  std::string_view end = name.substr(name.size() - hash_length);
  return end.starts_with("::h") && end.find_first_not_of("0123456789abcdef", 3) == std::string_view::npos;
}

// The escape sequences of Rust's legacy mangling.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> escapes = {{{"$LT$", "<"},
                                                                                    {"$GT$", ">"},
                                                                                    {"$LP$", "("},
                                                                                    {"$RP$", ")"},
                                                                                    {"$RF$", "&"},
                                                                                    {"$BP$", "*"},
                                                                                    {"$SP$", "@"},
                                                                                    {"$C$", ","},
                                                                                    {"$u20$", " "},
                                                                                    {"$u7b$", "{"},
                                                                                    {"$u7d$", "}"},
                                                                                    {"..", "::"}}};

std::string without_escapes(std::string_view name) {
  std::string result;
  // The mangling puts "_" before a path element that starts with an escape.
  for (size_t at = 0; at < name.size();) {
    if (name.substr(at).starts_with("_$") && (at == 0 || name[at - 1] == ':')) ++at;
    size_t before = at;
    for (auto [text, meaning] : escapes)
      if (name.substr(at).starts_with(text)) {
        result += meaning;
        at += text.size();
        break;
      }
    if (at == before) result += name[at++];
  }
  return result;
}

// LLVM makes local functions of other modules global under "name.llvm.NUMBER".
std::string_view without_module(std::string_view name) { return name.substr(0, name.find(".llvm.")); }

std::string demangle_here(std::string_view whole, bool has_parameters) {
  std::string_view name = without_module(whole);
  // LLVM's function for all languages would link the demanglers of other languages, too, which are 80 KB.
  char* demangled = name.starts_with("_R") ? llvm::rustDemangle(name) : llvm::itaniumDemangle(name, has_parameters);
  if (demangled == nullptr) return std::string{whole};
  std::string text = demangled;
  std::free(demangled);
  if (name.starts_with("_Z") && ends_with_hash(text))
    return without_escapes(std::string_view{text}.substr(0, text.size() - hash_length));
  return text;
}

std::string demangle_as(std::string_view name, bool has_parameters) {
  if (!name.starts_with("_Z") && !name.starts_with("_R")) return std::string{name};
  if (is_harmless(name)) return demangle_here(name, has_parameters);
  static DemangleChild child{demangle_here};
  return child.run(name, has_parameters).value_or(std::string{name});
}

}  // namespace

// A name expands by referring to earlier parts of itself: "S_", "S1_", "T_" in C++, "B_" in Rust. Two references can
// double its text. Nesting cannot be deeper than the name is long.
bool is_harmless(std::string_view name) {
  constexpr size_t max_length = 2048;
  constexpr ptrdiff_t max_references = 16;
  std::string_view letters = name.starts_with("_R") ? "B" : "ST";
  auto is_reference = [&](char c) { return letters.find(c) != std::string_view::npos; };
  return name.size() <= max_length && std::ranges::count_if(name, is_reference) <= max_references;
}

std::string demangle(std::string_view name) { return demangle_as(name, false); }
std::string demangle_with_parameters(std::string_view name) { return demangle_as(name, true); }

}  // namespace dscope
