// Portable code on other kernels, without booting them: code that is compiled for one kernel and bound to another one
// equals, byte by byte, the code that is compiled for the other one and bound to it. Programs: the scripts in tools/,
// and one for each provider.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "driver/bundle/bundle_code.h"
#include "driver/bundle/portable_code.h"
#include "frontend/machine/machine_values.h"
#include "runtime/providers/live_host.h"
#include "tests/kernels/btf_machine.h"
#include "tests/kernels/cached_kernels.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

struct Program {
  std::string name, text;
  char letter = 'n';
};

std::vector<Program> programs() {
  std::vector<Program> all;
  for (const auto& entry : fs::directory_iterator(DSCOPE_TOOL_DIR))
    if (entry.path().extension() == ".d")
      all.push_back({.name = entry.path().filename(), .text = entry.path(), .letter = 's'});
  const char* lines[] = {
      "syscall::openat:entry { printf(\"%s %s %d\", execname, copyinstr(arg1), ppid); }",
      "syscall:::return /errno/ { @[probefunc, errno] = count(); }",
      "BEGIN { printf(\"%s %d\", curthread->comm, curthread->mm->total_vm); }",
      "sched:::on-cpu { @[curpsinfo->pr_fname, curlwpsinfo->pr_pri] = count(); }",
      "proc:::exec-success { printf(\"%s\", curpsinfo->pr_psargs); }",
      "proc:::exit { @[arg0] = count(); }",
      "io:::start { @[args[1]->dev_statname] = sum(args[0]->b_bcount); }",
      "tcp:::send { @[args[2]->ip_daddr] = sum(args[2]->ip_plength); }",
      "udp:::receive { @[args[4]->udp_dport] = count(); }",
      "fbt::vfs_read:entry { @[stringof(args[0]->f_path.dentry->d_name.name)] = count(); }",
      "fbt::tcp_sendmsg:entry { self->t = timestamp; } fbt::tcp_sendmsg:return /self->t/ { @ = quantize(timestamp - "
      "self->t); }",
      "rawtp::sched_switch: { @[args[2]->comm] = count(); }",
      "profile-97 { @[stack(), ustack()] = count(); }",
      "BEGIN { trace(fds[1].fi_pathname); trace(`jiffies); }",
  };
  for (const char* line : lines) all.push_back({.name = line, .text = line});
  return all;
}

// A program compiled for the machine in use; null if it does not compile there.
struct Compiled {
  std::unique_ptr<LiveHost> host = make_live_host();
  Compilation compilation;
  std::optional<BundledCode> code;
};

std::unique_ptr<Compiled> compiled_program(const Program& program) {
  CommandLine line{.program_name = "dscope", .invoked_as = "dscope"};
  line.programs.push_back({.letter = program.letter, .text = program.text});
  auto options = make_options(line, [](const std::string&) -> const char* { return nullptr; });
  if (!options) return nullptr;
  options->set_number(OptionId::Defaultargs, 1);
  auto result = std::make_unique<Compiled>();
  auto done = compile(result->compilation, line, *options, *result->host, 0);
  if (!done || result->compilation.diagnostics.has_errors()) return nullptr;
  auto code = portable_code(result->compilation, CodeForm::Fast);
  if (!code) return nullptr;
  result->code = std::move(*code);
  return result;
}

std::map<std::string, BundledCode> codes_for(const std::string& version) {
  std::map<std::string, BundledCode> codes;
  auto record = machine_of_btf(cached_btf(version), version);
  EXPECT_TRUE(record.has_value());
  auto machine = RecordInUse::open(*record);
  EXPECT_TRUE(machine.has_value());
  for (const Program& program : programs())
    if (auto compiled = compiled_program(program)) codes[program.name] = std::move(*compiled->code);
  return codes;
}

// The bytes of code that is bound to the compilation's machine; empty if binding refuses it.
std::string bound(const BundledCode& code, const Compilation& compilation) {
  auto object = bind_code(code, compilation);
  return object ? std::string(object->bytes.begin(), object->bytes.end()) : std::string();
}

class BundleKernels : public testing::TestWithParam<std::string> {};

TEST_P(BundleKernels, BoundCodeEqualsCompiledCode) {
  const std::string reference = cached_versions().back();
  std::map<std::string, BundledCode> elsewhere = codes_for(reference);
  auto record = machine_of_btf(cached_btf(GetParam()), GetParam());
  ASSERT_TRUE(record.has_value()) << record.error().message();
  // The generation of the kernel is that of the code: a bundle has code for each of them.
  auto reference_record = machine_of_btf(cached_btf(reference), reference);
  ASSERT_TRUE(reference_record.has_value());
  record->facts.has_raw_tp_cookie = reference_record->facts.has_raw_tp_cookie;
  record->facts.has_exact_uprobe_pids = reference_record->facts.has_exact_uprobe_pids;
  record->facts.has_cpu_v4 = reference_record->facts.has_cpu_v4;
  record->mechanisms = reference_record->mechanisms;
  auto machine = RecordInUse::open(*record);
  ASSERT_TRUE(machine.has_value()) << machine.error().message();
  size_t equal = 0, refused = 0, absent = 0;
  for (const Program& program : programs()) {
    auto native = compiled_program(program);
    auto built = elsewhere.find(program.name);
    if (native == nullptr || built == elsewhere.end()) {
      ++absent;
      continue;
    }
    std::string difference = shape_difference(built->second.shape, native->code->shape);
    if (!difference.empty() || built->second.fixed_values != native->code->fixed_values) {
      ++refused;
      printf("%s: %s: %s\n", GetParam().c_str(), program.name.c_str(), difference.c_str());
      continue;
    }
    ++equal;
    std::string own = bound(*native->code, native->compilation);
    EXPECT_FALSE(own.empty()) << program.name;
    EXPECT_TRUE(bound(built->second, native->compilation) == own) << program.name << " on " << GetParam();
  }
  printf("%s: code of %s: %zu equal, %zu refused, %zu do not compile\n", GetParam().c_str(), reference.c_str(), equal,
         refused, absent);
  EXPECT_GT(equal, 0U);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BundleKernels);
std::string bundle_test_name(const testing::TestParamInfo<std::string>& kernel) {
  std::string name = kernel.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Bundles, BundleKernels, testing::ValuesIn(cached_versions()), bundle_test_name);

}  // namespace
}  // namespace dscope
