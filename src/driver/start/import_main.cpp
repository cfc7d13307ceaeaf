// dscope-import: reads a file of another tracer and writes a capture. dscope-replay executes it. It has no privileges,
// and no system calls that a file could misuse.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "driver/import/import_answer.h"
#include "driver/import/sandbox.h"
#include "import/import_formats.h"
#include "support/catch_exceptions.h"
#include "support/fd.h"

namespace dscope {

namespace {

constexpr uint64_t gigabyte = uint64_t{1} << 30;

// A file of a gigabyte of events has an index of a quarter, and the capture is smaller.
ImportLimits limits_for(uint64_t size, bool opens_files) {
  return {.memory = 4 * gigabyte + 3 * size, .written = gigabyte + 4 * size, .opens_files = opens_files};
}

struct InputFile {
  size_t size = 0;
  uint64_t written_ns = 0;  // since 1970
};

Result<InputFile> describe_input() {
  struct stat state{};
  if (::fstat(import_input_fd, &state) != 0) return fail(Error::from_errno(errno, "cannot read the file"));
  if (!S_ISREG(state.st_mode)) return fail(Error("it is no regular file"));
  constexpr uint64_t second = 1'000'000'000;
  return InputFile{static_cast<size_t>(state.st_size),
                   static_cast<uint64_t>(state.st_mtim.tv_sec) * second + static_cast<uint64_t>(state.st_mtim.tv_nsec)};
}

Result<ImportReport> import_mapped(const InputFile& input, Fd output) {
  // A file that shrinks ends this process, which the one that started it reports.
  void* content = ::mmap(nullptr, input.size, PROT_READ, MAP_PRIVATE, import_input_fd, 0);
  if (content == MAP_FAILED) return fail(Error::from_errno(errno, "cannot map the file"));
  DS_TRY_VOID(confine_import(limits_for(input.size, /*opens_files=*/false)));
  return import_perf_data({static_cast<const char*>(content), input.size}, input.written_ns, std::move(output));
}

Result<ImportReport> run(std::string_view kind, [[maybe_unused]] const char* path) {
  Fd output(import_output_fd);
#ifdef DSCOPE_HAS_BABELTRACE
  if (kind == ctf_kind) {
    DS_TRY_VOID(confine_import(limits_for(gigabyte, /*opens_files=*/true)));
    return import_ctf(path, std::move(output));
  }
#endif
  if (kind == ctf_kind) return fail(Error("this dscope was built without libbabeltrace2, which reads CTF traces"));
  DS_TRY(InputFile input, describe_input());
  if (kind == perf_data_kind) return import_mapped(input, std::move(output));
#ifdef DSCOPE_HAS_TRACECMD
  DS_TRY_VOID(confine_import(limits_for(input.size, /*opens_files=*/false)));
  return import_trace_dat(import_input_fd, input.written_ns, std::move(output));
#else
  return fail(Error("this dscope was built without libtracecmd, which reads trace.dat files"));
#endif
}

int answer(const Result<ImportReport>& report) {
  ImportAnswer given;
  if (report) given.note = report->damage;
  else given = {.message = report.error().message(), .note = report.error().hint_text()};
  std::string bytes = given.message + '\0' + given.note + '\0';
  return write_all(STDOUT_FILENO, bytes) && report ? 0 : 1;
}

}  // namespace

}  // namespace dscope

int main(int argc, char** argv) {
  std::string_view kind = argc > 1 ? argv[1] : "";
  const char* path = argc > 2 ? argv[2] : ".";
  return dscope::answer(dscope::catch_exceptions([&] { return dscope::run(kind, path); }));
}
