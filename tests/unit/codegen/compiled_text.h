// Compiles a D program as the driver does, for the machine of FakeHost. All tests of this folder start with it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "codegen/lower/lower.h"
#include "driver/compile/compilation.h"
#include "tests/support/fake_host.h"
#include "tests/support/golden_files.h"

namespace dscope {

class CompiledText {
 public:
  // Compiles a golden. Its first line may set options: /* golden: string zdefs strsize=8 args A B */. `string` compiles
  // it like -n instead of a script. The words after `args` are operands.
  explicit CompiledText(const std::filesystem::path& path);
  // Compiles for an older machine: no raw tracepoint cookies, an older instruction set.
  static CompiledText on_old_machine(const std::filesystem::path& path);
  // Compiles for a machine with so many CPUs and so much memory.
  static CompiledText on_large_machine(const std::filesystem::path& path, uint32_t cpus, uint64_t gigabytes);
  // Compiles for a machine most of whose possible CPUs are absent.
  static CompiledText on_sparse_machine(const std::filesystem::path& path, uint32_t possible, uint32_t online);

  // Compiles for a kernel whose structs have other members in front.
  static CompiledText on_other_kernel(const std::filesystem::path& path);

  // Compiles for another processor: "aarch64".
  static CompiledText on_processor(const std::filesystem::path& path, std::string_view name);

  bool failed() const { return !problem_.empty(); }
  const std::string& problem() const { return problem_; }  // the diagnostic, or why the file cannot be read
  const Compilation& compilation() const { return *compilation_; }

  IrModule lowered(const LowerOptions& options = {}) const;
  ProgramPlan plan() const;  // completed by lowering
  bool is_cpu_v4() const { return compilation_->compiled.plan.is_cpu_v4; }

 private:
  CompiledText(const std::filesystem::path& path, const std::function<void(FakeHost&)>& change);

  FakeHost host_;
  std::unique_ptr<Compilation> compilation_ = std::make_unique<Compilation>();
  std::string problem_;
};

}  // namespace dscope
