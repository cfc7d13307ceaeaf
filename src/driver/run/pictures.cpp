#include "driver/run/pictures.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "driver/command_line/command_line.h"
#include "metrics/family_names.h"
#include "pictures/profile/pprof_profile.h"
#include "pictures/profile/speedscope_profile.h"
#include "pictures/profile/svg_picture.h"
#include "pictures/report/report_writer.h"
#include "pictures/run_model.h"
#include "pictures/run_stream.h"
#include "pictures/timeline/ctf_writer.h"
#include "pictures/timeline/perfetto_writer.h"
#include "runtime/format/output_format.h"
#include "support/fd.h"
#include "support/read_file.h"
#include "support/text/shell_words.h"

namespace dscope {

// One picture, or the stream to a live view.
struct RunPictures::Part {
  virtual ~Part() = default;
  virtual void begin(const RunStart& start) = 0;
  virtual void add(const RunUpdate& update) = 0;
  virtual void end(const RunEnd& end) = 0;
  // True if it needs PictureRow::stack.
  virtual bool shows_row_stacks() const { return false; }
  // After the run.
  virtual Result<> write() { return {}; }
};

namespace {

constexpr mode_t file_mode = 0644;

// A file that keeps the first error of writing.
class PictureFile {
 public:
  static Result<PictureFile> create(const std::string& path) {
    Fd fd{::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, file_mode)};
    if (!fd) return fail(Error::from_errno(errno, "cannot write `{}`", path));
    return PictureFile{path, std::move(fd)};
  }

  void write(std::string_view bytes) {
    if (error_ == 0 && !write_all(fd_.get(), bytes)) error_ = errno;
  }
  Result<> result() const {
    if (error_ == 0) return {};
    return fail(Error::from_errno(error_, "cannot write `{}`", path_));
  }

 private:
  PictureFile(std::string path, Fd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  std::string path_;
  Fd fd_;
  int error_ = 0;
};

// The arguments of this process as a shell reads them.
std::string command_line_text() {
  std::string words = read_file("/proc/self/cmdline").value_or("");
  std::string text;
  for (std::string_view left = words; !left.empty();) {
    size_t end = std::min(left.find('\0'), left.size());
    text += (text.empty() ? "" : " ") + quote_shell_word(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return text;
}

RunStart describe_run(std::string script) {
  RunStart start;
  start.program_name = release_name();
  start.command_line = command_line_text();
  start.script = std::move(script);
  utsname names{};
  if (::uname(&names) == 0) {
    start.host = names.nodename;
    start.kernel = fmt::format("{} {} {}", names.sysname, names.release, names.machine);
  }
  return start;
}

}  // namespace

struct RunPictures::Parts {
  // A picture of the whole run, drawn at its end.
  struct Drawn : Part {
    using Draw = std::string (*)(const RunModel& model);

    explicit Drawn(Draw draw_it) : draw(draw_it) {}
    void begin(const RunStart& start) override { model.emplace(start); }
    void add(const RunUpdate& update) override { model->add(update); }
    void end(const RunEnd& end) override { model->end(end); }
    std::string picture() const { return model ? draw(*model) : ""; }

    Draw draw;
    std::optional<RunModel> model;
  };

  struct Report final : Drawn {
    explicit Report(PictureFile opened) : Drawn(report_html), file(std::move(opened)) {}
    Result<> write() override {
      file.write(picture());
      return file.result();
    }

    PictureFile file;
  };

  // The picture of option format.
  struct Output final : Drawn {
    Output(Draw draw_it, OutputStream& stream) : Drawn(draw_it), out(stream) {}
    Result<> write() override {
      out.write(picture());
      out.flush();
      if (out.error() == 0 || out.error() == EPIPE) return {};
      return fail(Error::from_errno(out.error(), "cannot write the output"));
    }

    OutputStream& out;
  };

  struct Perfetto final : Part {
    explicit Perfetto(PictureFile opened)
        : file(std::move(opened)), writer([this](std::string_view bytes) { file.write(bytes); }) {}
    void begin(const RunStart& start) override { writer.begin(start); }
    void add(const RunUpdate& update) override { writer.add(update); }
    void end(const RunEnd& end) override { writer.end(end); }
    bool shows_row_stacks() const override { return true; }
    Result<> write() override { return file.result(); }

    PictureFile file;
    PerfettoWriter writer;
  };

  struct Ctf final : Part {
    Ctf(PictureFile opened_metadata, PictureFile opened_stream)
        : metadata(std::move(opened_metadata)),
          stream(std::move(opened_stream)),
          writer([this](std::string_view bytes) { metadata.write(bytes); },
                 [this](std::string_view bytes) { stream.write(bytes); }) {}
    void begin(const RunStart& start) override { writer.begin(start); }
    void add(const RunUpdate& update) override { writer.add(update); }
    void end(const RunEnd& end) override { writer.end(end); }
    Result<> write() override {
      DS_TRY_VOID(metadata.result());
      return stream.result();
    }

    PictureFile metadata, stream;
    CtfWriter writer;
  };

  // The view may be gone: then there is nobody to tell.
  struct Stream final : Part {
    explicit Stream(int fd) : pipe(fd) {}
    void send(const RunMessage& message) { (void)write_all(pipe.get(), pack_message(message)); }
    void begin(const RunStart& start) override { send(start); }
    void add(const RunUpdate& update) override { send(update); }
    void end(const RunEnd& end) override { send(end); }

    Fd pipe;
  };

  static Result<std::unique_ptr<Part>> open_timeline(const std::string& path) {
    if (!path.ends_with('/')) {
      DS_TRY(PictureFile file, PictureFile::create(path));
      return std::make_unique<Perfetto>(std::move(file));
    }
    if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST)
      return fail(Error::from_errno(errno, "cannot create the directory `{}`", path));
    DS_TRY(PictureFile metadata, PictureFile::create(path + "metadata"));
    DS_TRY(PictureFile stream, PictureFile::create(path + "stream"));
    return std::make_unique<Ctf>(std::move(metadata), std::move(stream));
  }

  static Drawn::Draw draw_of(OutputFormat format) {
    if (format == OutputFormat::Pprof) return pprof_profile;
    return format == OutputFormat::Speedscope ? speedscope_profile : svg_picture;
  }
};

RunPictures::RunPictures() = default;
RunPictures::~RunPictures() = default;

Result<std::unique_ptr<RunPictures>> RunPictures::open(const CommandLine& command_line, const OptionValues& options,
                                                       const std::function<std::string()>& script, OutputStream& out) {
  std::unique_ptr<RunPictures> pictures{new RunPictures};
  for (const std::string& rule : options.list(OptionId::Metric))
    if (auto parsed = parse_metric_rule(rule); !parsed) return fail(std::move(parsed).error());
  if (!command_line.report_file.empty()) {
    DS_TRY(PictureFile file, PictureFile::create(command_line.report_file));
    pictures->parts_.push_back(std::make_unique<Parts::Report>(std::move(file)));
  }
  if (!command_line.timeline_path.empty()) {
    DS_TRY(std::unique_ptr<Part> timeline, Parts::open_timeline(command_line.timeline_path));
    pictures->parts_.push_back(std::move(timeline));
  }
  if (OutputFormat format = output_format(options); is_picture(format))
    pictures->parts_.push_back(std::make_unique<Parts::Output>(Parts::draw_of(format), out));
  if (command_line.live_fd >= 0) pictures->parts_.push_back(std::make_unique<Parts::Stream>(command_line.live_fd));
  if (!pictures->parts_.empty()) pictures->start_ = describe_run(script());
  pictures->start_.metric_rules = options.list(OptionId::Metric);
  pictures->is_served_ = command_line.is_served;
  pictures->start_.metric_idle_ns = options.number(OptionId::Metricidle);
  if (command_line.is_served) pictures->max_elements_ = static_cast<size_t>(options.number(OptionId::Metricseries));
  return pictures;
}

PictureSettings RunPictures::settings(std::vector<uint32_t> targets) {
  if (parts_.empty()) return {};
  start_.targets = std::move(targets);
  PictureSettings settings{.sink = this, .start = start_};
  settings.records_stacks = std::ranges::any_of(parts_, [](const auto& part) { return part->shows_row_stacks(); });
  settings.max_elements = max_elements_;
  settings.max_idle = std::chrono::nanoseconds{start_.metric_idle_ns};
  settings.shows_aggregations = is_served_;
  // With the passes over the ring, which are a second apart (live_environment.cpp).
  if (is_served_) settings.min_period = std::chrono::milliseconds{900};
  return settings;
}

void RunPictures::begin(RunStart start) {
  for (auto& part : parts_) part->begin(start);
}

void RunPictures::add(RunUpdate update) {
  for (auto& part : parts_) part->add(update);
}

void RunPictures::end(RunEnd end) {
  for (auto& part : parts_) part->end(end);
}

Result<> RunPictures::write() {
  Result<> first;
  for (auto& part : parts_)
    if (Result<> written = part->write(); !written && first) first = std::move(written);
  return first;
}

std::string script_text(const CommandLine& command_line) {
  std::string text;
  for (const ProgramArgument& program : command_line.programs) {
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    if (!program.is_script()) text += program.text;
    else if (auto read = read_file(program.text.c_str())) text += *read;
  }
  return text;
}

}  // namespace dscope
