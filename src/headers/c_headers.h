// CHeaders: the C headers of a run, read by libclang. In: their text as the preprocessor left it. Out: answers to the
// checker's questions about types and enumerators. Clang parses a text at the first question whose name occurs in it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "contract/header_types.h"

namespace dscope {

// Whether C headers can be read here. Opens libclang, which costs some milliseconds the first time.
bool can_read_c_headers();

class CHeaders final : public HeaderTypes {
 public:
  CHeaders();
  ~CHeaders() override;

  // Headers of one script, with line markers. The first text that declares a name is asked.
  void add(std::string text);

  std::optional<TypeId> find_type(TypeTable& types, std::string_view name) override;
  std::string nearest_type(std::string_view name) override;
  std::optional<HeaderEnumerator> find_enumerator(TypeTable& types, std::string_view name) override;

  // The files, as line markers name them, in which Clang found mistakes.
  std::vector<std::string> files_with_errors();

 private:
  class Text;
  std::vector<std::unique_ptr<Text>> texts_;
};

}  // namespace dscope
