#include "driver/live/save_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "pictures/report/report_writer.h"
#include "support/fd.h"

namespace dscope {

namespace {

// Writes a new file whose name no other file has, nor a link.
Result<std::string> save(std::string_view extension, mode_t mode, std::string_view text) {
  constexpr int max_files = 10'000;
  for (int i = 1; i <= max_files; ++i) {
    std::string name = fmt::format("dscope-{}.{}", i, extension);
    Fd fd{::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)};
    if (!fd && errno == EEXIST) continue;
    if (!fd) return fail(Error::from_errno(errno, "cannot write `{}`", name));
    if (!write_all(fd.get(), text)) return fail(Error::from_errno(errno, "cannot write `{}`", name));
    return name;
  }
  return fail(Error::make("there are {} files named dscope-N.{} already", max_files, extension));
}

}  // namespace

Result<std::string> save_live_script(const RunModel& model) {
  std::string text = model.start().script;
  if (!text.starts_with("#!")) text.insert(0, "#!/usr/bin/env -S dscope -s\n");
  if (!text.ends_with('\n')) text += '\n';
  return save("d", 0755, text);
}

Result<std::string> save_live_report(const RunModel& model) { return save("html", 0644, report_html(model)); }

}  // namespace dscope
