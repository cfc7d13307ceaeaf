#include "runtime/usdt/object_probes.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "runtime/elf/debug_files.h"
#include "runtime/elf/stapsdt_notes.h"
#include "support/fd.h"

namespace dscope {

namespace {

constexpr std::string_view fire = "__dtrace_", question = "__dtraceenabled_", between = "___";

// "__dtrace_prov___go__now"
bool read_call(std::string_view symbol, ObjectProbes::Call& call) {
  call.is_question = symbol.starts_with(question);
  if (!call.is_question && !symbol.starts_with(fire)) return false;
  symbol.remove_prefix(call.is_question ? question.size() : fire.size());
  size_t end = symbol.find(between);
  if (end == std::string_view::npos) return false;
  call.provider = symbol.substr(0, end);
  call.name = symbol.substr(end + between.size());
  return !call.provider.empty() && !call.name.empty();
}

void read_symbols(Elf* elf, ObjectProbes& probes) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    GElf_Sym symbol;
    for (int i = 0; data != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      const char* name = symbol.st_shndx == SHN_UNDEF ? elf_strptr(elf, header.sh_link, symbol.st_name) : nullptr;
      ObjectProbes::Call call;
      if (name != nullptr && read_call(name, call)) probes.calls.push_back(std::move(call));
    }
  }
}

size_t count_words(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); ++at) count += text[at] != ' ' && (at == 0 || text[at - 1] == ' ');
  return count;
}

// Appends the probes of an object file; false if it is not an object file.
bool read_object(Elf* elf, ObjectProbes& probes) {
  GElf_Ehdr header;
  bool is_object =
      elf != nullptr && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header) != nullptr && header.e_type == ET_REL;
  if (!is_object) return false;
  probes.machine = header.e_machine;
  probes.is_64_bit = header.e_ident[EI_CLASS] == ELFCLASS64;
  read_symbols(elf, probes);
  for (const StapsdtNote& note : read_stapsdt_texts(elf))
    probes.sites.push_back({.provider = note.provider, .name = note.name, .arguments = count_words(note.arguments)});
  return true;
}

}  // namespace

Result<ObjectProbes> read_object_probes(const std::string& path) {
  Fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return fail(Error::from_errno(errno, "failed to open {}", path));
  ObjectProbes probes{.path = path, .calls = {}, .sites = {}};
  char magic[4] = {};
  bool is_llvm =
      ::pread(file.get(), magic, sizeof magic, 0) == sizeof magic && std::memcmp(magic, "BC\xC0\xDE", 4) == 0;
  if (is_llvm) return probes;
  elf_version(EV_CURRENT);
  ElfHandle file_of_objects{elf_begin(file.get(), ELF_C_READ, nullptr)};
  bool is_archive = file_of_objects && elf_kind(file_of_objects.get()) == ELF_K_AR;
  if (!is_archive && !read_object(file_of_objects.get(), probes))
    return fail(Error::make("{} is not a relocatable object file", path));
  for (Elf_Cmd next = ELF_C_READ; is_archive && next != ELF_C_NULL;) {
    ElfHandle member{elf_begin(file.get(), next, file_of_objects.get())};
    if (!member) break;
    read_object(member.get(), probes);  // false for the archive's index, which is no object
    next = elf_next(member.get());
  }
  return probes;
}

std::string function_name(const ObjectProbes::Call& call) {
  return std::string(call.is_question ? question : fire) + call.provider + std::string(between) + call.name;
}

}  // namespace dscope
