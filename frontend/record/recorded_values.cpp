#include "frontend/record/recorded_values.h"

#include <algorithm>

#include "frontend/scan/scan.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr uint32_t max_raw_args = 10;       // arg0 ... arg9
constexpr uint32_t register_arguments = 6;  // of functions of processes; others are on the stack, which may be absent
constexpr size_t max_nested_members = 4;    // timestruc_t, but not the thread within a process

std::string_view output_of(const TranslatorDefinition& translator) {
  const auto* named = std::get_if<NamedType>(&translator.output->specifiers->type);
  return named != nullptr ? std::string_view{named->name} : std::string_view{};
}

// `xlate <T> (e)` as the value of a member: a translator of its own makes the member.
const TranslatorDefinition* nested_translator(const Program& program, const TranslatorMember& member) {
  const auto* xlate = std::get_if<Xlate>(&member.value->form);
  if (xlate == nullptr) return nullptr;
  const auto* named = std::get_if<NamedType>(&xlate->type->specifiers->type);
  return named != nullptr ? find_translator(program, named->name) : nullptr;
}

bool is_nested(const TranslatorMember& member) { return std::holds_alternative<Xlate>(member.value->form); }

// The statements of a derivation are the arguments (Derivation::clause).
uint32_t count_statements(const std::string& clause) {
  return static_cast<uint32_t>(std::ranges::count_if(
      scan(clause, OnBrokenText::Stop).items,
      [](const ScannedItem& item) { return item.place == Place::Body && item.token == TokenKind::Semicolon; }));
}

class GroupBuilder {
 public:
  GroupBuilder(const Probe& probe, const TypeTable& types, const Program& program, const RecordingParts& parts)
      : probe_(probe), types_(types), program_(program), parts_(parts) {}

  RecordedGroup run() {
    add_thread();
    if (parts_.has_args) add_arguments();
    if (parts_.has_args && parts_.has_strings) add_strings();
    if (parts_.has_threads) add_thread_objects();
    if (parts_.has_stacks) {
      add(RecordedKind::KernelStack, 0, "stack()");
      if (has_user_stack()) add(RecordedKind::UserStack, 0, "ustack()");
    }
    return std::move(group_);
  }

 private:
  void add(RecordedKind kind, uint32_t word, std::string text, std::string member = {}) {
    group_.values.push_back({.kind = kind, .word = word, .member = std::move(member), .text = std::move(text)});
  }

  void add_thread() {
    add(RecordedKind::Time, 0, "trace(timestamp)");
    add(RecordedKind::Pid, 0, "trace(pid)");
    add(RecordedKind::Tid, 0, "trace(tid)");
    add(RecordedKind::Ppid, 0, "trace(ppid)");
    add(RecordedKind::Uid, 0, "trace(uid)");
    add(RecordedKind::Gid, 0, "trace(gid)");
    add(RecordedKind::Execname, 0, "trace(execname)");
    if (probe_.is_system_call && probe_.name == "return") add(RecordedKind::Errno, 0, "trace(errno)");
  }

  // ustack() faults if the probe is about another thread than the running one.
  bool has_user_stack() const {
    const auto* iterator = std::get_if<HookIterator>(&probe_.hook);
    return iterator == nullptr || !iterator->subject;
  }

  void add_thread_objects() {
    for (const ThreadObject& object : thread_objects) {
      const TranslatorDefinition* translator = find_translator(program_, object.type);
      if (translator == nullptr) continue;
      group_.thread_objects.push_back({.word = object.word, .object_type = std::string(object.type)});
      add_members(*translator, fmt::format("{}->", object.variable), "", object.word);
    }
  }

  // The arguments that the probe has. The registers of a system call beyond its arguments hold anything. A derived
  // probe may have more raw arguments than typed ones: arg1 of proc:::exit is the wait status.
  uint32_t raw_count() const {
    if (probe_.is_system_call) return std::min(max_raw_args, static_cast<uint32_t>(probe_.args.size()));
    if (!probe_.derivations.empty()) return std::min(max_raw_args, count_statements(probe_.derivations.front().clause));
    auto count =
        static_cast<uint32_t>(probe_.sites.empty() ? probe_.raw_args.size() : probe_.sites.front().raw_args.size());
    return std::min(count, probe_.is_process_function ? register_arguments : max_raw_args);
  }

  void add_arguments() {
    group_.arg_count = raw_count();
    for (uint32_t i = 0; i < group_.arg_count; ++i) add(RecordedKind::Word, i, fmt::format("trace(arg{})", i));
    group_.word_count = group_.arg_count;
    for (uint32_t i = 0; i < probe_.args.size(); ++i) add_typed(i, probe_.args[i]);
  }

  // Most typed arguments are views of a raw one.
  void add_typed(uint32_t index, const ProbeArg& argument) {
    RecordedArg arg{.word = index};
    std::string_view object = object_type_of(argument.translated_text);
    if (const TranslatorDefinition* translator = find_translator(program_, object)) {
      arg.word = group_.word_count++;
      arg.object_type = object;
      add_members(*translator, fmt::format("args[{}]->", index), "", arg.word);
    } else if (is_record_text(argument)) {
      arg.word = group_.word_count++;
      arg.is_text = true;
      add(RecordedKind::ObjectText, arg.word, fmt::format("trace(stringof(args[{}]))", index));
    } else if (!is_raw(index, argument)) {
      if (!probe_.derivations.empty() || is_scalar(argument)) {
        arg.word = group_.word_count++;
        add(RecordedKind::Word, arg.word, fmt::format("trace(args[{}])", index));
      } else {
        arg.word = no_word;  // an object of the kernel by value
      }
    }
    group_.args.push_back(std::move(arg));
  }

  bool is_scalar(const ProbeArg& argument) const {
    return types_.is_scalar(argument.type) && argument.source.kind != ArgSourceKind::VectorRegister;
  }

  bool is_raw(uint32_t index, const ProbeArg& argument) const {
    if (index >= group_.arg_count || !probe_.derivations.empty()) return false;
    if (probe_.is_system_call) return true;
    const std::vector<ArgSource>& raw = probe_.sites.empty() ? probe_.raw_args : probe_.sites.front().raw_args;
    return index < raw.size() && raw[index] == argument.source && is_scalar(argument);
  }

  // Text that is a part of a tracepoint's record.
  bool is_record_text(const ProbeArg& argument) const {
    ArgSourceKind kind = argument.source.kind;
    bool is_in_record = kind == ArgSourceKind::RecordAddress || kind == ArgSourceKind::RecordDataLoc ||
                        kind == ArgSourceKind::RecordRelLoc;
    return is_in_record && types_.is_string_compatible(argument.type);
  }

  void add_members(const TranslatorDefinition& translator, const std::string& object, const std::string& path,
                   uint32_t word) {
    for (const TranslatorMember& member : translator.members) {
      std::string name = path + member.name;
      const TranslatorDefinition* nested = nested_translator(program_, member);
      if (nested != nullptr && nested->members.size() <= max_nested_members)
        add_members(*nested, object, name + ".", word);
      else if (!is_nested(member)) add(RecordedKind::Member, word, fmt::format("trace({}{})", object, name), name);
    }
  }

  // Strings that a system call reads. Other pointers to characters are buffers.
  void add_strings() {
    if (!probe_.is_system_call || probe_.name != "entry") return;
    for (uint32_t i = 0; i < group_.arg_count; ++i) {
      const ProbeArg& argument = probe_.args[i];
      bool is_text = argument.type_text == "const char *" && argument.name != "buf" && argument.name != "ubuf";
      if (is_text) add(RecordedKind::UserText, i, fmt::format("trace(__user_text(arg{}))", i));
    }
  }

  static constexpr uint32_t no_word = UINT32_MAX;
  const Probe& probe_;
  const TypeTable& types_;
  const Program& program_;
  const RecordingParts& parts_;
  RecordedGroup group_;
};

}  // namespace

RecordedGroup recorded_values(const Probe& probe, const TypeTable& types, const Program& program,
                              const RecordingParts& parts) {
  return GroupBuilder{probe, types, program, parts}.run();
}

const TranslatorDefinition* find_translator(const Program& program, std::string_view name) {
  if (name.empty()) return nullptr;
  for (const ProgramUnit& unit : program.units)
    for (const External& external : unit.externals)
      if (const auto* translator = std::get_if<TranslatorDefinition>(&external.form))
        if (output_of(*translator) == name) return translator;
  return nullptr;
}

std::string_view object_type_of(std::string_view translated_text) {
  size_t pointer = translated_text.find(" *");
  return pointer == std::string_view::npos ? std::string_view{} : translated_text.substr(0, pointer);
}

}  // namespace dscope
