#include "runtime/kernel/module_file.h"

#include <sys/utsname.h>

#include <algorithm>
#include <span>

#include "runtime/elf/debug_files.h"
#include "runtime/elf/decompression.h"
#include "runtime/kernel/machine_record.h"
#include "support/format.h"
#include "support/read_file.h"

namespace dscope {

namespace {

constexpr size_t max_module_size = size_t{256} << 20;

// "kernel/drivers/block/loop.ko.xz" is the file of module loop. File names may have - where module names have _.
bool is_file_of(std::string_view path, std::string_view module) {
  path.remove_prefix(path.rfind('/') + 1);
  return std::ranges::equal(path.substr(0, path.find(".ko")), module, {}, [](char c) { return c == '-' ? '_' : c; });
}

// A line of modules.dep is a file name, a colon, and the modules that it depends on.
std::string find_module_file(std::string_view module, const std::string& directory) {
  auto list = read_file((directory + "/modules.dep").c_str());
  if (!list) return {};
  for (std::string_view rest = *list; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    std::string_view path = line.substr(0, line.find(':'));
    if (is_file_of(path, module))
      return path.starts_with('/') ? std::string{path} : fmt::format("{}/{}", directory, path);
  }
  return {};
}

std::vector<char> read_module(const std::string& path) {
  auto content = read_file(path.c_str());
  if (!content) return {};
  auto bytes = std::as_bytes(std::span<const char>{*content});
  if (path.ends_with(".xz")) return decompress_xz(bytes, max_module_size);
  if (path.ends_with(".zst")) return decompress_zstd(bytes, max_module_size);
  return {content->begin(), content->end()};
}

}  // namespace

std::string module_directory() {
  utsname names{};
  ::uname(&names);
  const MachineRecord* record = recorded_machine();
  return machine_path("/lib/modules/" +
                      (record != nullptr ? record->facts.kernel_release : std::string{names.release}));
}

std::vector<std::byte> read_module_types(std::string_view module, const std::string& directory) {
  std::string path = find_module_file(module, directory);
  if (path.empty()) return {};
  std::vector<char> image = read_module(path);
  elf_version(EV_CURRENT);
  ElfHandle elf{elf_memory(image.data(), image.size())};
  if (elf == nullptr || find_section(elf.get(), ".BTF.base") != nullptr) return {};
  Elf_Scn* section = find_section(elf.get(), ".BTF");
  const Elf_Data* data = section == nullptr ? nullptr : elf_getdata(section, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return {};
  const auto* begin = static_cast<const std::byte*>(data->d_buf);
  return {begin, begin + data->d_size};
}

}  // namespace dscope
