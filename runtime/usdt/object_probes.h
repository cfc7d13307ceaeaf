// What compiled objects say of static probes: those they fire by calls, and those they fire by notes of their own.
// Called by dscope -G.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/result.h"

namespace dscope {

struct ObjectProbes {
  std::string path;
  uint16_t machine = 0;  // EM_X86_64...
  bool is_64_bit = true;

  // A probe fired by a call of __dtrace_<provider>___<name>, or asked for by one of __dtraceenabled_...
  struct Call {
    std::string provider, name;
    bool is_question = false;
  };
  std::vector<Call> calls;
  // A probe fired by a note in the object.
  struct Site {
    std::string provider, name;  // as the note has it
    size_t arguments = 0;
  };
  std::vector<Site> sites;
};

// Of a relocatable ELF file, or an archive of such. One of LLVM's intermediate code has no probes to tell of.
Result<ObjectProbes> read_object_probes(const std::string& path);

// The name of the function that stands for the call.
std::string function_name(const ObjectProbes::Call& call);

}  // namespace dscope
