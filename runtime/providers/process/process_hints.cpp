// Hints of ProcessFunctions about functions and names that a process lacks.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "runtime/elf/debug_files.h"
#include "runtime/elf/process_maps.h"
#include "runtime/providers/process/process_functions.h"
#include "runtime/providers/provider.h"
#include "support/format.h"
#include "support/text/format_join.h"
#include "support/text/spelling.h"

namespace dscope {
namespace {

// The kernel executes the interpreter of a script with the script as first argument, or as second one behind the
// argument of the script's first line.
constexpr size_t max_script_position = 2;

bool is_script_of(const std::string& path, const std::filesystem::path& interpreter) {
  Fd file = open_regular(path);
  std::array<char, 256> start{};  // the kernel reads as much
  ssize_t got = file ? ::pread(file.get(), start.data(), start.size(), 0) : 0;
  std::string_view line{start.data(), static_cast<size_t>(std::max<ssize_t>(0, got))};
  line = line.substr(0, line.find('\n'));
  if (!line.starts_with("#!")) return false;
  size_t begin = std::min(line.find_first_not_of(" \t", 2), line.size());
  std::error_code problem;
  return std::filesystem::equivalent(line.substr(begin, line.find_first_of(" \t", begin) - begin), interpreter,
                                     problem);
}

}  // namespace

std::string ProcessFunctions::script_hint() const {
  std::string arguments = read_small_file(fmt::format("/proc/{}/cmdline", pid_));
  auto program = std::ranges::find_if(objects_, &ProcessObject::is_program);
  if (program == objects_.end()) return {};
  for (size_t i = 0, at = 0; i <= max_script_position && at < arguments.size(); ++i) {
    std::string argument = arguments.c_str() + at;
    at += argument.size() + 1;
    if (i > 0 && is_script_of(argument, fmt::format("/proc/{}/exe", pid_)))
      return fmt::format("{} is a script for {}: -x follow=exec also matches the programs that it executes", argument,
                         program->path);
  }
  return {};
}

std::string ProcessFunctions::missing_function_hint(std::string_view module, std::string_view function) {
  if (std::string script = script_hint(); !script.empty()) return "; " + script;
  if (std::string copies = compiler_copies_hint(module, function); !copies.empty()) return "; " + copies;
  for (size_t i = 0; i < objects_.size(); ++i)
    if (!is_named(objects_[i], module) &&
        std::ranges::find(functions(i), function, &ElfSymbols::Function::name) != functions(i).end())
      return fmt::format("; {} has it", objects_[i].name);
  if (std::string_view nearest = nearest_function(module, function); !nearest.empty())
    return fmt::format("; did you mean `{}`?", nearest);
  std::string missing = stripped_object_hint(module);
  return missing.empty() ? missing : "; " + missing;
}

std::string_view ProcessFunctions::nearest_function(std::string_view module, std::string_view function) {
  std::string_view nearest;
  size_t distance = std::min(max_misspelt_letters + 1, function.size());
  for (size_t i = 0; i < objects_.size(); ++i) {
    if (!is_named(objects_[i], module)) continue;
    for (const ElfSymbols::Function& each : functions(i)) {
      size_t found = edit_distance(function, each.name, max_misspelt_letters);
      if (found >= distance) continue;
      distance = found;
      nearest = each.name;
    }
  }
  return nearest;
}

// A .cold part does not count: the function itself exists as well.
std::string ProcessFunctions::compiler_copies_hint(std::string_view module, std::string_view function) {
  std::string names;
  for (size_t i = 0; i < objects_.size(); ++i) {
    if (!is_named(objects_[i], module)) continue;
    for (const ElfSymbols::Function& each : functions(i)) {
      bool is_copy = each.name.size() > function.size() && each.name.starts_with(function) &&
                     each.name[function.size()] == '.' && each.name.find(".cold") == std::string_view::npos;
      if (!is_copy) continue;
      names += names.empty() ? "" : ", ";
      names += each.name;
    }
  }
  if (names.empty()) return names;
  return fmt::format("the compiler replaced it by {}; `{}.*` matches all its copies", names, function);
}

std::string ProcessFunctions::stripped_object_hint(std::string_view module) {
  for (size_t i = 0; i < objects_.size(); ++i) {
    if (!is_named(objects_[i], module) || !symbols(i).is_stripped()) continue;
    size_t nameless = symbols(i).unnamed_function_count();
    return fmt::format(
        "{} is stripped: only exported functions have names ({}); {}its debug symbols name the others, and "
        "instructions have addresses (function -)",
        objects_[i].name, functions(i).size() - nameless,
        nameless == 0 ? "" : fmt::format("{} are named by their addresses (fun_*), ", nameless));
  }
  return {};
}

std::string ProcessFunctions::summary() const {
  auto program = std::ranges::find_if(objects_, &ProcessObject::is_program);
  if (program == objects_.end()) return {};
  if (std::string script = script_hint(); !script.empty()) return script;
  constexpr size_t max_names = 20;
  std::vector<std::string_view> names;
  for (const ProcessObject& object : objects_)
    if (names.size() < max_names) names.push_back(object.name);
  return fmt::format(
      "process {} runs {} and has {}{}; -Z also matches libraries that it loads later, -x follow=exec programs "
      "that it executes",
      pid_, program->path, fmt::join(names, " "), objects_.size() > max_names ? " ..." : "");
}

}  // namespace dscope
