// Compiles a D program as the driver does, against the machine of FakeHost: what all tests of this folder start from.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "codegen/lower/lower.h"
#include "driver/compile/compilation.h"
#include "tests/support/fake_host.h"
#include "tests/support/golden_files.h"

namespace dscope {

class CompiledText {
 public:
  // A golden. Its first line may say how it is compiled: /* golden: string zdefs strsize=8 args A B */, a string like
  // -n instead of a script, options, and the words after `args` as operands.
  explicit CompiledText(const std::filesystem::path& path);
  // The same on another machine: without cookies of raw tracepoints and with an older instruction set.
  static CompiledText on_old_machine(const std::filesystem::path& path) { return CompiledText(path, true); }

  bool failed() const { return !problem_.empty(); }
  const std::string& problem() const { return problem_; }  // the diagnostic, or why the file cannot be read
  const Compilation& compilation() const { return *compilation_; }

  IrModule lowered(const LowerOptions& options = {}) const;
  ProgramPlan plan() const;  // completed by lowering
  bool is_cpu_v4() const { return compilation_->compiled.plan.is_cpu_v4; }

 private:
  CompiledText(const std::filesystem::path& path, bool is_old_machine);

  FakeHost host_;
  std::unique_ptr<Compilation> compilation_ = std::make_unique<Compilation>();
  std::string problem_;
};

}  // namespace dscope
