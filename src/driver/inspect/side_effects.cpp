#include "driver/inspect/side_effects.h"

#include <cstdio>
#include <utility>

#include "driver/inspect/dump.h"
#include "driver/inspect/type_dump.h"
#include "frontend/syntax/ast_print.h"
#include "support/deep_stack.h"
#include "support/print_message.h"

namespace dscope {

Result<> print_trees(const OptionValues& options, const Compilation& compilation) {
  int64_t requested = options.number(OptionId::Tree);
  DeepStack stack;
  if ((requested & 1) != 0) print_text(dump_tree(compilation.program));
  if (compilation.diagnostics.has_errors()) return {};
  constexpr std::pair<int, DumpStage> stages[] = {{2, DumpStage::Types}, {4, DumpStage::Plan}, {8, DumpStage::Ir}};
  for (auto [bit, stage] : stages) {
    if ((requested & bit) == 0) continue;
    DS_TRY(std::string text, dump(stage, compilation));
    print_text(text);
  }
  return {};
}

namespace {

Result<> write_file(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) return fail(Error::from_errno(errno, "failed to open {}", path));
  bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int problem = is_written ? 0 : errno;
  if (std::fclose(file) != 0 && problem == 0) problem = errno;
  if (problem != 0) return fail(Error::from_errno(problem, "failed to write {}", path));
  return {};
}

}  // namespace

Result<> write_types(const OptionValues& options, const Compilation& compilation) {
  constexpr std::pair<OptionId, TypeOrigin> files[] = {{OptionId::Ctypes, TypeOrigin::Kernel},
                                                       {OptionId::Dtypes, TypeOrigin::D}};
  for (auto [option, origin] : files)
    if (options.is_set(option))
      DS_TRY_VOID(write_file(options.text(option), dump_types(*compilation.meaning.types, origin)));
  return {};
}

}  // namespace dscope
