#include "driver/inspect/save_facts.h"

#include <fcntl.h>

#include "driver/run/output.h"
#include "runtime/providers/record_machine.h"

namespace dscope {

Result<int> save_facts(const std::string& path) {
  DS_TRY(MachineRecord record, record_machine());
  DS_TRY(std::string content, pack_machine(record));
  Fd file{::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
  if (!file) return fail(Error::from_errno(errno, "cannot create `{}`", path));
  FdStream out{std::move(file)};
  out.write(content);
  return finish_output(out);
}

}  // namespace dscope
