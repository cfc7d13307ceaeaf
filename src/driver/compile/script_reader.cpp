#include "driver/compile/script_reader.h"

#include <optional>

#include "driver/compile/header_choice.h"
#include "driver/compile/library_files.h"
#include "driver/compile/preprocessor.h"

namespace dscope {

Result<std::string> ScriptReader::read(const std::string& path) {
  DS_TRY(std::string text, read_text(path == "-" ? "/dev/stdin" : path));
  if (!options_.is_on(OptionId::Cpp)) return text;
  auto output = preprocessed(path, text);
  if (!output) return fail(std::move(output).error().with_context(fmt::format("failed to compile script {}", path)));
  return output;
}

Result<std::string> ScriptReader::preprocessed(const std::string& path, const std::string& text) {
  DS_TRY(std::string output, preprocess(path, text, options_));
  auto preprocess_for_c = [&]() -> std::optional<std::string> {
    auto as_c = preprocess(path, text, options_, PreprocessedFor::C);
    return as_c ? std::optional(std::move(*as_c)) : std::nullopt;
  };
  ChosenText chosen = choose_headers(std::move(output), preprocess_for_c, options_, host_, headers_);
  lacks_libclang_ = lacks_libclang_ || chosen.lacks_libclang;
  return std::move(chosen.text);
}

std::string ScriptReader::hint() const {
  if (!lacks_libclang_) return "";
  return "install libclang1: dscope needs libclang for headers that are not plain C";
}

}  // namespace dscope
