#include "runtime/format/fragment_stream.h"

#include "runtime/format/append_text.h"

namespace dscope {

void FragmentStream::write(std::string_view text) {
  if (text.empty()) return;
  std::string line = program_name_ + ": >>> Called buffer handler: \"";
  append_c_escaped(line, text);
  out_.write(line + "\"\n");
}

}  // namespace dscope
