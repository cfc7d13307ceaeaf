#include "driver/usdt/usdt_build.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "driver/usdt/usdt_header.h"
#include "runtime/usdt/provider_object.h"
#include "support/fd.h"

namespace dscope {

namespace {

// The providers that these programs define, without those of libraries.
std::vector<DefinedProvider> providers_of(const Compilation& compilation, std::span<const UnitId> programs) {
  std::vector<DefinedProvider> providers;
  for (const ProgramUnit& unit : compilation.program.units) {
    if (std::ranges::count(programs, unit.source) == 0) continue;
    for (const External& external : unit.externals) {
      const auto* definition = std::get_if<ProviderDefinition>(&external.form);
      if (definition == nullptr) continue;
      for (const DefinedProvider& known : compilation.meaning.providers) {
        bool is_listed = std::ranges::count(providers, known.name, &DefinedProvider::name) != 0;
        if (known.name == definition->name && !is_listed) providers.push_back(known);
      }
    }
  }
  return providers;
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// "x" for "x.d"; empty for other names.
std::string_view stem_of_script(std::string_view path) {
  return path.ends_with(".d") ? path.substr(0, path.size() - 2) : std::string_view{};
}

// "-" is the standard output.
Result<> write_text(const std::string& path, std::string_view text) {
  Fd file{path == "-" ? ::dup(STDOUT_FILENO) : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
  if (!file) return fail(Error::from_errno(errno, "failed to open header file '{}'", path));
  if (!write_all(file.get(), text)) return fail(Error::from_errno(errno, "failed to write header file '{}'", path));
  return {};
}

Result<std::vector<ObjectProbes>> read_objects(const std::vector<std::string>& paths) {
  std::vector<ObjectProbes> objects;
  for (const std::string& path : paths) {
    DS_TRY(ObjectProbes object, read_object_probes(path));
    objects.push_back(std::move(object));
  }
  return objects;
}

// Writes one object for the providers that `programs` define.
Result<> write_object(const CommandLine& command_line, const Compilation& compilation, std::span<const UnitId> programs,
                      const std::string& path) {
  DS_TRY_VOID(check_usdt_probes(providers_of(compilation, programs)));
  DS_TRY(std::vector<ObjectProbes> objects, read_objects(command_line.operands));
  DS_TRY(ObjectKind kind, object_kind(objects, command_line.data_model == DataModel::Lp64));
  DS_TRY_VOID(check_objects(providers_of(compilation, compilation.user_units), objects));
  return write_provider_object(path, kind, providers_of(compilation, programs), objects);
}

}  // namespace

Result<> write_usdt_header(const CommandLine& command_line, const Compilation& compilation) {
  std::string path = command_line.output_file.value_or("");
  if (path.empty()) {
    std::string_view stem = stem_of_script(base_name(command_line.programs.front().text));
    if (stem.empty())
      return fail(Error::make("-h requires an output file if the name of the script does not end in .d: {}",
                              command_line.programs.front().text)
                      .status(2));
    path = std::string(stem) + ".h";
  }
  DS_TRY(std::string text, usdt_header(providers_of(compilation, compilation.user_units), base_name(path)));
  return write_text(path, text);
}

Result<> write_usdt_object(const CommandLine& command_line, const Compilation& compilation) {
  const std::vector<ProgramArgument>& programs = command_line.programs;
  std::span<const UnitId> units = compilation.user_units;
  // With -o, all programs go into one object. Otherwise each program has its own object.
  size_t count = command_line.output_file ? 1 : programs.size();
  for (size_t i = 0; i < count; ++i) {
    std::string_view stem = programs[i].is_script() ? stem_of_script(programs[i].text) : std::string_view{};
    std::string number = count == 1 ? "" : fmt::format(".{}", i);
    std::string path = stem.empty() ? "d.out" + number : std::string(stem) + ".o";
    auto written = write_object(command_line, compilation, count == 1 ? units : units.subspan(i, 1),
                                command_line.output_file.value_or(path));
    if (!written)
      return fail(std::move(written).error().with_context(fmt::format(
          "failed to link {} {}", programs[i].is_script() ? "script" : "description", notice_name(programs[i].text))));
  }
  return {};
}

}  // namespace dscope
