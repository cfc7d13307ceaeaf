// Reads the static probes of compiled objects: probes fired by calls, and probes with stapsdt notes. Used by
// dscope -G.
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

  // A probe that is fired by a call of __dtrace_<provider>___<name>, or whose is-enabled check is a call of
  // __dtraceenabled_<provider>___<name>.
  struct Call {
    std::string provider, name;
    bool is_question = false;
  };
  std::vector<Call> calls;
  // A probe that has a note in the object.
  struct Site {
    std::string provider, name;  // as spelled in the note
    size_t arguments = 0;
  };
  std::vector<Site> sites;
};

// Reads a relocatable ELF file or an archive of such files. LLVM bitcode yields no probes.
Result<ObjectProbes> read_object_probes(const std::string& path);
std::string function_name(const ObjectProbes::Call& call);

}  // namespace dscope
