#include "capture/redact.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "capture/capture_reader.h"
#include "capture/capture_writer.h"
#include "capture/keyed_hash.h"
#include "support/format.h"
#include "support/text/word_list.h"

namespace dscope {

namespace {

enum class TextClass : uint8_t { Path, Argument, Name };

class Replacer {
 public:
  Replacer(const RedactedParts& parts, const RedactionSalt& salt) : parts_(parts), salt_(salt) {}

  std::string replaced(std::string_view text, TextClass text_class) const {
    switch (text_class) {
      case TextClass::Path: return parts_.has_paths ? by_parts(text, "/", 'p') : std::string(text);
      case TextClass::Argument: return parts_.has_args ? by_parts(text, " /", 'a') : std::string(text);
      case TextClass::Name: return parts_.has_names && !text.empty() ? token(text, 'n') : std::string(text);
    }
    return {};
  }

 private:
  // Replaces what is between the separators, so that "/a/b" and "/a/c" still share their folder.
  std::string by_parts(std::string_view text, std::string_view separators, char letter) const {
    std::string result;
    while (!text.empty()) {
      size_t end = std::min(text.find_first_of(separators), text.size());
      std::string_view part = text.substr(0, end);
      bool is_kept = part.empty() || part == "." || part == "..";
      result += is_kept ? std::string(part) : token(part, letter);
      if (end < text.size()) result += text[end];
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
  }

  // 8 digits: execname has 15 characters.
  std::string token(std::string_view text, char letter) const {
    return fmt::format("{}{:08x}", letter, static_cast<uint32_t>(keyed_hash(salt_, text)));
  }

  const RedactedParts& parts_;
  const RedactionSalt& salt_;
};

// The member of an object type at an offset in bytes; empty if there is none.
std::string_view member_at(const CaptureInfo& info, TypeId id, uint32_t offset, int depth = 0) {
  constexpr int max_depth = 16;
  constexpr uint32_t bits_per_byte = 8;
  const Type& type = info.types[id.index];
  if (depth > max_depth) return {};
  if (type.kind == TypeKind::Pointer || type.kind == TypeKind::Typedef)
    return member_at(info, type.base, offset, depth + 1);
  for (const TypeMember& member : type.members)
    if (member.bit_offset / bits_per_byte == offset) return member.name;
  return {};
}

TextClass class_of(const CaptureInfo& info, const CapturedProbe& probe, const CapturedColumn& column) {
  if (column.kind == ColumnKind::Memory) return TextClass::Path;
  const std::vector<CapturedValue>& values = is_thread_object(column.word) ? probe.others : probe.args;
  auto value = std::ranges::find(values, column.word, &CapturedValue::word);
  std::string_view member = value != values.end() ? member_at(info, value->type, column.offset) : std::string_view{};
  if (member == "pr_fname" || member == "pr_name") return TextClass::Name;
  bool is_of_file = member.starts_with("fi_") || member.starts_with("dev_");
  return is_of_file ? TextClass::Path : TextClass::Argument;
}

class Copying {
 public:
  Copying(CaptureReader& reader, const RedactedParts& parts, const RedactionSalt& salt)
      : reader_(reader), replacer_(parts, salt) {}

  Result<Redaction> run(const std::string& to) {
    CaptureInfo info = reader_.info();
    replace_tables(info);
    Redaction result;
    CaptureBatch batch;
    bool has_batch = reader_.next(batch);
    for (uint32_t recording = 0; recording < info.recordings.size(); ++recording) {
      DS_TRY_VOID(begin(to, info, recording));
      for (; has_batch && batch.recording == recording && writer_->status(); has_batch = reader_.next(batch))
        for (const CaptureEvent& event : batch.events) copy(event);
      writer_->finish(info.recordings[recording].end);
      DS_TRY_VOID(Result<>(writer_->status()));
      result.event_count += writer_->event_count();
    }
    result.damage = reader_.damage();
    return result;
  }

 private:
  // The first recording has the tables that the reader has joined.
  Result<> begin(const std::string& to, const CaptureInfo& info, uint32_t recording) {
    bool is_first = recording == 0;
    CaptureStart start{.info = info, .shapes = {}};
    start.info.recordings = {info.recordings[recording]};
    first_probe_ = info.first_probes[recording];
    auto first = static_cast<ptrdiff_t>(first_probe_);
    bool is_last = recording + 1 == info.recordings.size();
    auto end = static_cast<ptrdiff_t>(is_last ? info.probes.size() : info.first_probes[recording + 1]);
    start.info.probes.assign(info.probes.begin() + first, info.probes.begin() + end);
    start.shapes.assign(reader_.shapes().begin() + first, reader_.shapes().begin() + end);
    CaptureSettings settings{.appends = !is_first, .facts_file = is_first ? info.facts_file : std::string()};
    DS_TRY(writer_, CaptureWriter::open(to, std::move(start), std::move(settings)));
    if (!is_first) return {};
    for (const auto& [key, symbol] : info.symbols) writer_->add_symbol(key.first, key.second, symbol);
    for (const CapturedObject& object : info.objects) writer_->add_object(object);
    writer_->set_losses(info.lost_events);
    return {};
  }

  void replace_tables(CaptureInfo& info) {
    auto replace = [&](std::string& text, TextClass text_class) { text = replacer_.replaced(text, text_class); };
    replace(info.target_command, TextClass::Argument);
    for (CapturedMount& mount : info.mounts) {
      replace(mount.device, TextClass::Path);
      replace(mount.path, TextClass::Path);
    }
    for (CapturedObject& object : info.objects) replace(object.path, TextClass::Path);
    for (auto& [key, symbol] : info.symbols) {
      if (key.first == 0) continue;  // of the kernel
      for (std::string* text : {&symbol.symbol, &symbol.text, &symbol.caller, &symbol.caller_text}) {
        size_t mark = text->find('`');
        if (mark != std::string::npos)
          *text = replacer_.replaced(text->substr(0, mark), TextClass::Name) + text->substr(mark);
      }
      replace(symbol.module, TextClass::Name);
    }
  }

  void copy(const CaptureEvent& event) {
    const CapturedShape& shape = reader_.shapes()[event.probe];
    EventBlock& block = writer_->block();
    CapturedThread thread = reader_.tables().threads[event.thread];
    thread.execname = replacer_.replaced(thread.execname, TextClass::Name);
    values_.clear();
    for (const CapturedColumn& column : shape.columns) values_.push_back(value_of(event, column));
    const auto& stacks = reader_.tables().stacks;
    RecordedEvent recorded{.time = event.time,
                           .probe = event.probe - first_probe_,
                           .cpu = event.cpu,
                           .thread = block.intern(thread),
                           .kernel_stack = block.intern(std::span<const uint64_t>{stacks[event.kernel_stack]}),
                           .user_stack = block.intern(std::span<const uint64_t>{stacks[event.user_stack]}),
                           .error = event.error};
    recorded.values = values_;
    writer_->add(recorded);
  }

  uint64_t value_of(const CaptureEvent& event, const CapturedColumn& column) {
    uint64_t word = is_thread_object(column.word) ? captured_object_address(column.word) : event.words[column.word];
    if (column.kind == ColumnKind::Word) return word;
    auto memory = std::ranges::find(event.memory, word, &CapturedMemory::address);
    if (memory == event.memory.end()) return 0;
    std::span<const std::byte> bytes = memory->bytes;
    if (column.kind == ColumnKind::Memory) return replaced_text(event, column, bytes);
    bytes = bytes.subspan(column.offset, column.size);
    if (column.kind == ColumnKind::MemberMemory) return replaced_text(event, column, bytes);
    uint64_t number = 0;
    std::memcpy(&number, bytes.data(), bytes.size());
    return number;
  }

  uint64_t replaced_text(const CaptureEvent& event, const CapturedColumn& column, std::span<const std::byte> bytes) {
    std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    text = text.substr(0, text.find('\0'));
    TextClass text_class = class_of(reader_.info(), reader_.info().probes[event.probe], column);
    std::string replacement = replacer_.replaced(text, text_class);
    if (column.kind == ColumnKind::MemberMemory && replacement.size() >= column.size)
      replacement.resize(column.size == 0 ? 0 : column.size - 1);
    replacement += '\0';
    return writer_->block().intern(std::string_view{replacement});
  }

  CaptureReader& reader_;
  Replacer replacer_;
  std::unique_ptr<CaptureWriter> writer_;
  uint32_t first_probe_ = 0;  // of the recording
  std::vector<uint64_t> values_;
};

}  // namespace

Result<RedactedParts> parse_redacted_parts(std::string_view words) {
  RedactedParts parts;
  for (std::string_view word : parts_of(words, ",")) {
    if (word == "paths") parts.has_paths = true;
    else if (word == "args") parts.has_args = true;
    else if (word == "names") parts.has_names = true;
    else
      return fail(
          Error::make("unknown strings in --redact: {}", word).hint("the words are paths, args and names").status(2));
  }
  return parts;
}

Result<Redaction> redact_capture(const std::string& from, const std::string& to, const RedactedParts& parts,
                                 const RedactionSalt& salt) {
  DS_TRY(std::unique_ptr<CaptureReader> reader, CaptureReader::open(from));
  return Copying{*reader, parts, salt}.run(to);
}

}  // namespace dscope
