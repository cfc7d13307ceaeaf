#include "runtime/usdt/provider_object.h"

#include <elf.h>

#include <algorithm>
#include <map>
#include <set>

#include "runtime/usdt/relocatable_object.h"
#include "support/format.h"

namespace dscope {

namespace {

struct FoundProbe {
  const DefinedProvider* provider = nullptr;
  const DefinedProbe* probe = nullptr;
};

// `name` is spelled with underscores, as in programs.
FoundProbe find_probe(std::span<const DefinedProvider> providers, const std::string& provider,
                      const std::string& name) {
  FoundProbe found;
  for (const DefinedProvider& each : providers) {
    if (each.name != provider) continue;
    found.provider = &each;
    auto probe = std::find_if(each.probes.begin(), each.probes.end(),
                              [&](const DefinedProbe& candidate) { return candidate.name == with_dashes(name); });
    if (probe != each.probes.end()) found.probe = &*probe;
  }
  return found;
}

// Starts an ELF note: sizes, type, and the owner that defines the types.
void begin_note(std::string& bytes, std::string_view owner, uint32_t type) {
  auto append_number = [&](uint32_t number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); };
  append_number(static_cast<uint32_t>(owner.size() + 1));
  append_number(0);  // size of the content, set by end_note
  append_number(type);
  bytes.append(owner);
  bytes += '\0';
  while (bytes.size() % 4 != 0) bytes += '\0';
}

// Completes a note; `content` is the size of `bytes` after begin_note().
void end_note(std::string& bytes, size_t content, std::string_view owner) {
  auto size = static_cast<uint32_t>(bytes.size() - content);
  size_t header = content - 12 - (owner.size() + 1 + 3) / 4 * 4;
  bytes.replace(header + 4, sizeof size, reinterpret_cast<const char*>(&size), sizeof size);
  while (bytes.size() % 4 != 0) bytes += '\0';
}

// The locations of a function's arguments at its entry, in the operand syntax of notes.
std::string entry_operands(ObjectKind kind, const DefinedProbe& probe) {
  constexpr std::string_view registers[][4] = {
      // by width: 1, 2, 4, 8 bytes
      {"dil", "di", "edi", "rdi"}, {"sil", "si", "esi", "rsi"}, {"dl", "dx", "edx", "rdx"},
      {"cl", "cx", "ecx", "rcx"},  {"r8b", "r8w", "r8d", "r8"}, {"r9b", "r9w", "r9d", "r9"},
  };
  constexpr uint32_t max_arguments = 12;  // limit of readers of notes
  std::string text;
  uint32_t word = kind.is_64_bit ? 8 : 4, stack = word;
  for (size_t i = 0; i < std::min<size_t>(probe.input.size(), max_arguments); ++i) {
    const DefinedArgument& argument = probe.input[i];
    bool is_size = argument.size == 1 || argument.size == 2 || argument.size == 4 || argument.size == 8;
    uint32_t size = std::min(is_size ? argument.size : word, word);
    size_t column = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
    text += fmt::format("{}{}{}@", i == 0 ? "" : " ", argument.form == ArgumentForm::Signed ? "-" : "", size);
    if (kind.is_64_bit && i < std::size(registers)) {
      text += fmt::format("%{}", registers[i][column]);
      continue;
    }
    text += fmt::format("{}(%{}sp)", stack, kind.is_64_bit ? 'r' : 'e');
    stack += word;
  }
  return text;
}

class ObjectMaker {
 public:
  explicit ObjectMaker(ObjectKind kind) : kind_(kind), file_(kind) {
    semaphores_ = file_.add_section(
        {.name = ".probes", .type = SHT_PROGBITS, .flags = SHF_ALLOC | SHF_WRITE, .alignment = 2, .bytes = {}});
    definitions_ = file_.add_section({.name = ".note.dscope", .type = SHT_NOTE, .alignment = 4, .bytes = {}});
    // Marks the program as not needing an executable stack.
    file_.add_section({.name = ".note.GNU-stack", .type = SHT_PROGBITS, .bytes = {}});
  }

  void add_provider(const DefinedProvider& provider);
  void add_stubs(std::span<const DefinedProvider> providers, std::span<const ObjectProbes> objects);
  Result<> write(const std::string& path) const { return file_.write(path); }

 private:
  void add_stub(const ObjectProbes::Call& call, const DefinedProbe& probe);
  void add_question(const ObjectProbes::Call& call, RelocatableObject::SymbolIndex semaphore);

  ObjectKind kind_;
  RelocatableObject file_;
  RelocatableObject::SectionIndex semaphores_, definitions_;
  RelocatableObject::SectionIndex code_ = 0, notes_ = 0;  // of stubs, if there are any
  RelocatableObject::SymbolIndex base_ = 0;
  std::map<std::string, RelocatableObject::SymbolIndex> semaphore_of_;
};

void ObjectMaker::add_provider(const DefinedProvider& provider) {
  for (const DefinedProbe& probe : provider.probes) {
    std::string name = semaphore_name(provider.name, probe.name);
    semaphore_of_[name] = file_.define(name, semaphores_, file_.bytes(semaphores_).size(), 2, false);
    file_.bytes(semaphores_).append(2, '\0');
  }
  std::string& bytes = file_.bytes(definitions_);
  begin_note(bytes, defined_provider_owner, defined_provider_note);
  size_t content = bytes.size();
  bytes += write_note(provider);
  end_note(bytes, content, defined_provider_owner);
}

// The stub is "nop; ret". The probe is on the nop, with a note like those of <sys/sdt.h>.
void ObjectMaker::add_stub(const ObjectProbes::Call& call, const DefinedProbe& probe) {
  file_.align(code_, 16, '\x90');
  constexpr std::string_view code = "\x90\xc3";
  RelocatableObject::SymbolIndex function =
      file_.define(function_name(call), code_, file_.bytes(code_).size(), code.size(), true);
  file_.bytes(code_) += code;
  constexpr std::string_view owner = "stapsdt";
  constexpr uint32_t probe_note = 3;
  begin_note(file_.bytes(notes_), owner, probe_note);
  size_t content = file_.bytes(notes_).size();
  file_.append_address(notes_, function);
  file_.append_address(notes_, base_);
  file_.append_address(notes_, semaphore_of_[semaphore_name(call.provider, probe.name)]);
  std::string& bytes = file_.bytes(notes_);
  for (const std::string& text : {call.provider, call.name, entry_operands(kind_, probe)}) bytes += text + '\0';
  end_note(bytes, content, owner);
}

// uint32_t f(uint32_t *flag) { return *flag = semaphore; }: some headers read the flag, others the result.
void ObjectMaker::add_question(const ObjectProbes::Call& call, RelocatableObject::SymbolIndex semaphore) {
  file_.align(code_, 16, '\x90');
  using namespace std::string_view_literals;
  // movzwl semaphore(%rip),%eax; mov %eax,(%rdi); ret
  constexpr std::string_view long_code = "\x0f\xb7\x05\0\0\0\0\x89\x07\xc3"sv;
  // call 1f; 1: pop %eax; movzwl semaphore-1b(%eax),%eax; mov 4(%esp),%ecx; mov %eax,(%ecx); ret
  constexpr std::string_view short_code = "\xe8\0\0\0\0\x58\x0f\xb7\x80\0\0\0\0\x8b\x4c\x24\x04\x89\x01\xc3"sv;
  std::string_view code = kind_.is_64_bit ? long_code : short_code;
  uint64_t at = file_.bytes(code_).size();
  file_.define(function_name(call), code_, at, code.size(), true);
  file_.bytes(code_) += code;
  if (kind_.is_64_bit) file_.relocate_distance(code_, at + 3, semaphore, -4);
  else file_.relocate_distance(code_, at + 9, semaphore, 4);
}

void ObjectMaker::add_stubs(std::span<const DefinedProvider> providers, std::span<const ObjectProbes> objects) {
  std::set<std::string> done;
  for (const ObjectProbes& object : objects)
    for (const ObjectProbes::Call& call : object.calls) {
      const DefinedProbe* probe = find_probe(providers, call.provider, call.name).probe;
      if (probe == nullptr || !done.insert(function_name(call)).second) continue;
      if (done.size() == 1) {
        code_ = file_.add_section({.name = ".text.dscope",
                                   .type = SHT_PROGBITS,
                                   .flags = SHF_ALLOC | SHF_EXECINSTR,
                                   .alignment = 16,
                                   .bytes = {}});
        notes_ = file_.add_section({.name = ".note.stapsdt", .type = SHT_NOTE, .alignment = 4, .bytes = {}});
        base_ = file_.refer("_.stapsdt.base");
      }
      if (call.is_question) add_question(call, semaphore_of_[semaphore_name(call.provider, probe->name)]);
      else add_stub(call, *probe);
    }
}

Result<> check_call(std::span<const DefinedProvider> providers, const ObjectProbes& object,
                    const ObjectProbes::Call& call) {
  FoundProbe found = find_probe(providers, call.provider, call.name);
  if (found.provider == nullptr)
    return fail(Error::make("{} has a probe of provider {}, which is not defined", object.path, call.provider));
  if (found.probe == nullptr)
    return fail(Error::make("{} has probe {}:::{}, which provider {} does not define", object.path, call.provider,
                            with_dashes(call.name), call.provider));
  if (object.machine != EM_X86_64 && object.machine != EM_386)
    return fail(Error::make("{} fires {} by a call, which only works on x86", object.path, function_name(call))
                    .hint("compile it with the header that -h writes"));
  return {};
}

}  // namespace

Result<ObjectKind> object_kind(std::span<const ObjectProbes> objects, bool is_64_bit) {
#if defined(__aarch64__)
  constexpr uint16_t own_machine = EM_AARCH64;
#else
  constexpr uint16_t own_machine = EM_X86_64;
#endif
  ObjectKind kind{.machine = is_64_bit ? own_machine : uint16_t{EM_386}, .is_64_bit = is_64_bit};
  bool is_first = true;
  for (const ObjectProbes& object : objects) {
    if (object.machine == 0) continue;
    // Without -32 objects of both classes are accepted.
    if (!is_64_bit && object.is_64_bit)
      return fail(Error::make("incorrect ELF class for object file: {}", object.path));
    if (!is_first && kind.is_64_bit != object.is_64_bit) return fail(Error("can't mix 32-bit and 64-bit object files"));
    if (!is_first && kind.machine != object.machine)
      return fail(Error::make("{} is for a different machine than the previous objects", object.path));
    kind = {.machine = object.machine, .is_64_bit = object.is_64_bit};
    is_first = false;
  }
  return kind;
}

Result<> check_objects(std::span<const DefinedProvider> providers, std::span<const ObjectProbes> objects) {
  for (const ObjectProbes& object : objects) {
    for (const ObjectProbes::Call& call : object.calls) DS_TRY_VOID(check_call(providers, object, call));
    for (const ObjectProbes::Site& site : object.sites) {
      FoundProbe found = find_probe(providers, site.provider, site.name);
      if (found.provider == nullptr) continue;  // <sys/sdt.h> needs no definition
      if (found.probe == nullptr)
        return fail(Error::make("{} has probe {}:::{}, which provider {} does not define", object.path, site.provider,
                                with_dashes(site.name), site.provider));
      if (site.arguments != found.probe->input.size())
        return fail(Error::make("{} passes probe {}:::{} {} arguments; its definition has {}", object.path,
                                site.provider, found.probe->name, site.arguments, found.probe->input.size())
                        .hint("recompile it with the header of this definition"));
    }
  }
  return {};
}

Result<> write_provider_object(const std::string& path, ObjectKind kind, std::span<const DefinedProvider> providers,
                               std::span<const ObjectProbes> objects) {
  ObjectMaker maker(kind);
  for (const DefinedProvider& provider : providers) maker.add_provider(provider);
  maker.add_stubs(providers, objects);
  return maker.write(path);
}

}  // namespace dscope
