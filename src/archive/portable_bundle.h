// A portable bundle: a D program in one file, with BPF code that a process without a compiler can run on other machines
// (dscope --build, dscope-run). That process parses and checks the program again, so that its probes, types and records
// are those of its own machine, and completes the code with the numbers of its kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/data_model.h"
#include "contract/code_results.h"
#include "contract/program_plan.h"
#include "support/result.h"

namespace dscope {

// One -s, -n, -P, -m, -f or -i: the letter, the name for messages, and the text.
struct BundledProgram {
  char letter = 'n';
  std::string name, text;
};

struct BundledLibrary {
  std::string path, text;
  bool is_built_in = false;
};

// An option of the command line: see OptionSetting.
struct BundledSetting {
  std::string name, value;
  bool has_value = false;
  std::string flag;
};

// Code for all machines of one shape (frontend/machine/machine_values.h).
struct BundledCode {
  uint32_t form = 0;  // a CodeForm
  std::vector<std::string> shape;
  std::vector<std::string> value_names;  // of the values of the machine, for --info
  std::vector<uint64_t> fixed_values;    // parallel to results.late.fixed_values
  CodeResults results;
  BpfObject object;
};

// A kernel without BTF on which the program can run all the same.
struct BoundKernel {
  std::string release;  // as of uname -r
  std::string types;    // BTF of the kernel proper
};

struct PortableBundle {
  std::string builder;     // "dscope 0.9.0"
  std::string invoked_as;  // $0
  DataModel data_model = DataModel::Lp64;
  std::vector<BundledProgram> programs;
  std::vector<BundledLibrary> libraries;
  std::vector<BundledSetting> settings;
  bool is_destructive = false;      // some clause has a destructive action: a run needs -w
  std::vector<std::string> probes;  // the descriptions of the clauses
  std::vector<BundledCode> codes;   // the fastest first
  std::vector<BoundKernel> kernels;
};

// The bytes of the file. Equal bundles have equal bytes.
std::string pack_portable_bundle(const PortableBundle& bundle);

// Reads the bytes of a file that anyone may have written: at most max_portable_bundle_bytes compressed and
// max_portable_content_bytes uncompressed. Every index in the result is within its table. Fails with one sentence.
inline constexpr size_t max_portable_bundle_bytes = size_t{64} << 20;
inline constexpr size_t max_portable_content_bytes = size_t{256} << 20;
Result<PortableBundle> unpack_portable_bundle(std::string_view bytes);

}  // namespace dscope
