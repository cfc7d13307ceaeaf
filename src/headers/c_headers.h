// CHeaders: the C headers of a run, parsed by libclang. In: their preprocessed text. Out: the types and enumerators
// that the checker looks up. Clang parses a text at the first lookup whose name occurs in it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "contract/types/header_types.h"

namespace dscope {

// Whether libclang is available. The first call opens it, which costs some milliseconds.
bool can_read_c_headers();

class CHeaders final : public HeaderTypes {
 public:
  CHeaders();
  ~CHeaders() override;

  // Adds the headers of one script, with line markers. The first text that declares a name defines it.
  void add(std::string text);
  bool empty() const { return texts_.empty(); }

  std::optional<TypeId> find_type(TypeTable& types, std::string_view name) override;
  std::string nearest_type(std::string_view name) override;
  std::optional<HeaderEnumerator> find_enumerator(TypeTable& types, std::string_view name) override;

  // The files in which Clang found errors, as the line markers name them.
  std::vector<std::string> files_with_errors();

 private:
  class Text;
  std::vector<std::unique_ptr<Text>> texts_;
};

}  // namespace dscope
