#include "driver/bundle/bundle_info.h"

#include <algorithm>
#include <set>

#include "contract/late_code.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr size_t max_line_items = 12;

// "name: a, b, c and 5 more"
std::string list_line(std::string_view name, const std::set<std::string>& items) {
  std::string text;
  size_t count = 0;
  for (const std::string& item : items) {
    if (count++ == max_line_items) break;
    text += (text.empty() ? "" : ", ") + item;
  }
  if (items.size() > max_line_items) text += fmt::format(" and {} more", items.size() - max_line_items);
  return items.empty() ? "" : fmt::format("{:<14}{}\n", name, text);
}

// The macro arguments and variables of the texts: "$1", "$$2", "$target".
std::set<std::string> arguments_of(const PortableBundle& bundle) {
  std::set<std::string> found;
  for (const BundledProgram& program : bundle.programs) {
    const std::string& text = program.text;
    for (size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
      size_t start = at;
      if (at + 1 < text.size() && text[at + 1] == '$') ++at;
      size_t end = at + 1;
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
      if (end > at + 1) found.insert(text.substr(start, end - start));
    }
  }
  return found;
}

std::set<std::string> members_of(const PortableBundle& bundle) {
  constexpr std::string_view prefix = "offset of ";
  std::set<std::string> members;
  for (const BundledCode& code : bundle.codes)
    for (const std::vector<uint32_t>& terms : code.results.late.numbers)
      for (uint32_t index : terms)
        if (const std::string& name = code.value_names[index];
            name.starts_with(prefix) && (name.find("struct ") != name.npos || name.find("union ") != name.npos))
          members.insert(name.substr(prefix.size()));
  return members;
}

}  // namespace

std::string bundle_info(const PortableBundle& bundle, const std::string& path, size_t bytes) {
  std::string text = fmt::format("{:<14}{}, {} bytes\n", "bundle", path, bytes);
  text += fmt::format("{:<14}{}\n", "built by", bundle.builder);
  for (const BundledProgram& program : bundle.programs)
    text += fmt::format("{:<14}{}\n", program.letter == 's' ? "script" : "program", program.name);
  text += list_line("probes", {bundle.probes.begin(), bundle.probes.end()});
  text += list_line("arguments", arguments_of(bundle));
  std::set<std::string> options;
  for (const BundledSetting& setting : bundle.settings)
    options.insert(setting.has_value ? fmt::format("{}={}", setting.name, setting.value) : setting.name);
  text += list_line("options", options);
  std::set<std::string> libraries;
  for (const BundledLibrary& library : bundle.libraries)
    libraries.insert(library.path.substr(library.path.rfind('/') + 1));
  text += list_line("libraries", libraries);
  text += list_line("members", members_of(bundle));
  size_t machines = static_cast<size_t>(std::ranges::count(bundle.codes, 0U, &BundledCode::form));
  size_t code_bytes = 0;
  for (const BundledCode& code : bundle.codes) code_bytes += code.object.bytes.size();
  text += fmt::format("{:<14}for {} kinds of machines, {} bytes\n", "code", machines, code_bytes);
  std::set<std::string> kernels;
  for (const BoundKernel& kernel : bundle.kernels) kernels.insert(kernel.release);
  text += list_line("bound to", kernels);
  text += fmt::format("{:<14}{}\n", "privileges",
                      bundle.is_destructive ? "CAP_BPF and CAP_PERFMON, or root; destructive: needs -w"
                                            : "CAP_BPF and CAP_PERFMON, or root");
  return text;
}

}  // namespace dscope
