// Generated BTF types of functions, for programs where the kernel requires them: those with callbacks or with global
// functions.
#pragma once

#include <map>
#include <memory>

#include "runtime/load/program_btf.h"
#include "runtime/load/program_linker.h"
#include "support/fd.h"
#include "support/result.h"

struct btf;

namespace dscope {

struct BtfDeleter {
  void operator()(btf* types) const;
};

class FunctionTypes {
 public:
  FunctionTypes();
  ~FunctionTypes();

  // One record per function of the program. Its descriptor is valid until the next call. Error if the kernel rejects
  // the types.
  Result<ProgramDebugInfo> info(const LinkedProgram& program);

 private:
  Result<> load();
  // BTF ids; new types are added to types_. Functions that are not global have one type, without parameters.
  int function(const std::optional<GlobalParameters>& parameters);
  int parameter(uint32_t bytes);

  std::unique_ptr<btf, BtfDeleter> types_;
  std::map<std::optional<GlobalParameters>, int> functions_;
  std::map<uint32_t, int> parameters_;  // by GlobalParameters' number of bytes
  bool is_loaded_ = false;              // fd_ has all of types_
  Fd fd_;
};

}  // namespace dscope
