#include "driver/language/format_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "driver/compile/library_files.h"
#include "driver/run/messages.h"
#include "frontend/format/format.h"
#include "support/fd.h"

namespace dscope {

namespace {

// /dev/stdin cannot be opened if it is a socket, as in Neovim.
Result<std::string> read_standard_input() {
  std::string text;
  char bytes[65536];
  for (;;) {
    ssize_t length = ::read(STDIN_FILENO, bytes, sizeof(bytes));
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) return fail(Error::from_errno(errno, "cannot read standard input"));
    if (length == 0) return text;
    text.append(bytes, static_cast<size_t>(length));
    if (text.size() > max_text_bytes) return fail(Error::make("more than {} bytes", max_text_bytes));
  }
}

enum class Purpose : uint8_t { Print, Write, Check };

Result<> write_text(int file, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail(Error::from_errno(errno, "cannot write"));
    text.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

// Replaces the file by a new one, so that a full disk or a signal leaves the old text.
Result<> replace_file(const std::string& path, std::string_view text) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  std::string target = resolved != nullptr ? resolved : path;
  std::free(resolved);
  struct stat old{};
  if (::stat(target.c_str(), &old) != 0) return fail(Error::from_errno(errno, "cannot open `{}`", path));
  std::string temporary = target + ".XXXXXX";
  Fd file{::mkostemp(temporary.data(), O_CLOEXEC)};
  if (!file) return fail(Error::from_errno(errno, "cannot create `{}`", temporary));
  auto done = write_text(file.get(), text);
  bool keeps_owner = ::fchown(file.get(), old.st_uid, old.st_gid) == 0 || old.st_uid == ::geteuid();
  if (done && (!keeps_owner || ::fchmod(file.get(), old.st_mode & 07777) != 0))
    done = fail(Error::from_errno(errno, "cannot keep the owner and mode"));
  if (done && ::rename(temporary.c_str(), target.c_str()) != 0) done = fail(Error::from_errno(errno, "cannot rename"));
  if (!done) ::unlink(temporary.c_str());
  return done;
}

// Returns whether the text of the file differs from its formatted text, after it did what `purpose` says.
Result<bool> format_file(const std::string& path, Purpose purpose) {
  DS_TRY(std::string text, path == "-" ? read_standard_input() : read_text(path));
  DS_TRY(std::string formatted, format_source(text));
  bool differs = formatted != text;
  if (purpose == Purpose::Print) DS_TRY_VOID(write_text(STDOUT_FILENO, formatted));
  if (purpose == Purpose::Check && differs) DS_TRY_VOID(write_text(STDOUT_FILENO, path + "\n"));
  if (purpose == Purpose::Write && differs) DS_TRY_VOID(replace_file(path, formatted));
  return differs;
}

Result<Purpose> purpose_of(std::string_view option) {
  if (option == "--fmt") return Purpose::Print;
  if (option == "--fmt=write") return Purpose::Write;
  if (option == "--fmt=check") return Purpose::Check;
  return fail(Error::make("unrecognized option '{}'", option)
                  .hint("--fmt prints the formatted text, --fmt=write changes the files, --fmt=check lists the files "
                        "that --fmt=write would change")
                  .status(2));
}

}  // namespace

Result<int> format_files(std::string_view program_name, std::span<const char* const> arguments) {
  DS_TRY(Purpose purpose, purpose_of(arguments[0]));
  std::vector<std::string> paths;
  bool takes_options = true;
  for (std::string_view argument : arguments.subspan(1)) {
    if (takes_options && argument == "--") takes_options = false;
    else if (takes_options && argument.starts_with('-') && argument != "-")
      return fail(Error::make("--fmt takes only files, not '{}'", argument).status(2));
    else paths.emplace_back(argument);
  }
  if (paths.empty()) paths.emplace_back("-");
  int status = 0;
  for (const std::string& path : paths) {
    if (path == "-" && purpose == Purpose::Write)
      return fail(Error("--fmt=write needs files: standard input cannot be changed").status(2));
    Result<bool> differs = format_file(path, purpose);
    if (!differs) {
      report(program_name, std::move(differs).error().with_context(path));
      status = 1;
    } else if (*differs && purpose == Purpose::Check) {
      status = 1;
    }
  }
  return status;
}

}  // namespace dscope
