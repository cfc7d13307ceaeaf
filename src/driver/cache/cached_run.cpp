#include "driver/cache/cached_run.h"

#include "contract/tracer_identity.h"
#include "driver/cache/cache_key.h"
#include "driver/cache/code_cache.h"
#include "driver/record/recording.h"
#include "driver/run/messages.h"
#include "driver/run/notices.h"
#include "driver/run/output.h"
#include "driver/run/session_run.h"
#include "driver/run/setup.h"
#include "driver/run/terminal.h"
#include "runtime/load/late_binder.h"
#include "support/catch_exceptions.h"

namespace dscope {

namespace {

std::optional<Bundle> find_bundle(const CommandLine& command_line, const OptionValues& options,
                                  const std::string& compiler) {
  std::optional<std::string> key = cache_key(command_line, options, compiler);
  if (!key) return std::nullopt;
  std::optional<CodeCache> cache = CodeCache::open();
  return cache ? cache->find(*key) : std::nullopt;
}

// Writes the numbers of this process into the code. False if it asks for an unknown one.
bool complete(Bundle& bundle) {
  if (bundle.open_numbers.empty()) return true;
  LateContent content;
  const TracerIdentity tracer = current_tracer();
  for (const std::string& name : bundle.open_numbers) {
    auto number = name.starts_with('$') ? tracer.find(std::string_view(name).substr(1)) : std::nullopt;
    if (!number) return false;
    content.numbers.push_back(*number);
  }
  auto object = bind_late_code(bundle.object, content);
  if (object) bundle.object = std::move(*object);
  return object.has_value();
}

// nullopt if the kernel rejects the code: the compiler then makes other code or explains the rejection.
Result<std::optional<int>> run(const CommandLine& command_line, const OptionValues& options, Bundle& bundle,
                               Recording* recording) {
  DS_TRY(std::unique_ptr<FdStream> out, open_output(command_line));
  DS_TRY_VOID(preallocate(options));
  limit_foreign_files(command_line, options);
  DS_TRY(std::unique_ptr<Targets> targets, create_targets(command_line, options));
  std::unique_ptr<Progress> progress = make_progress(command_line, options);
  DS_TRY(std::unique_ptr<RunPictures> pictures,
         RunPictures::open(command_line, options, [&] { return script_text(command_line); }, *out));
  SessionOptions settings = session_options(command_line, bundle.plan, *targets, *progress, *pictures);
  if (recording != nullptr)
    settings.wrap_consumer = [&](std::unique_ptr<Consumer> printing, Symbolizer& symbols) {
      return recording->wrap(bundle.plan, std::move(printing), symbols);
    };
  // Nothing extends the session: programs that may gain probes are not in the cache.
  auto session = Session::load(bundle.plan, bundle.object, std::move(settings));
  progress->clear();
  if (!session) return std::nullopt;
  if (recording != nullptr) DS_TRY_VOID(recording->open(*targets, {}));
  print_notices(command_line, bundle.plan, {.awaited = {}, .reports = {}, .lines = bundle.notices}, *out);
  DS_TRY(SessionResult result, run_session(**session, command_line, bundle.plan, *targets, *progress, *pictures, *out));
  if (recording != nullptr) DS_TRY_VOID(recording->finish());
  return result.exit_status;
}

}  // namespace

std::optional<int> run_from_cache(const CommandLine& command_line, const OptionValues& options,
                                  const std::string& compiler) {
  std::optional<Bundle> bundle = find_bundle(command_line, options, compiler);
  // Without privileges the compiler's messages come first: a mistake in the program counts more.
  if (!bundle || !complete(*bundle) || !check_privileges()) return std::nullopt;
  if (command_line.forbids_destructive && bundle->plan.is_destructive) return std::nullopt;
  std::optional<Recording> recording;
  if (!command_line.record_file.empty()) {
    auto program = unpack_recorded_program(bundle->recording, bundle->plan);
    if (!program) return std::nullopt;
    recording.emplace(command_line, bundle->plan.options, std::move(*program));
  }
  Result<std::optional<int>> status =
      catch_exceptions([&] { return run(command_line, options, *bundle, recording ? &*recording : nullptr); });
  if (!status) return report(command_line.program_name, status.error());
  return *status;
}

}  // namespace dscope
