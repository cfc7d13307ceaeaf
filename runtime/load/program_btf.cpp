// LLVM leaves its BTF for a loader to complete: it lacks sizes of data sections and marks declared functions as extern,
// which the kernel rejects. Only function types and lines are needed here, so both are rewritten in place into harmless
// types of the same length.
#include "runtime/load/program_btf.h"

#include <bpf/bpf.h>
#include <linux/btf.h>

#include <cstring>
#include <optional>
#include <tuple>

#include "runtime/kernel/btf_header.h"

namespace dscope {

// Byte range with checked, copying access.
struct BtfBytes {
  std::vector<std::byte> bytes;

  template <typename T>
  bool read(uint64_t offset, T& value) const {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return true;
  }
  template <typename T>
  void write(uint64_t offset, const T& value) {
    std::memcpy(bytes.data() + offset, &value, sizeof(T));
  }
};

namespace {

Error damaged() { return Error::make("the type information of the BPF object is damaged"); }

// Number of bytes that follow a btf_type of this kind; nothing for unknown kinds.
std::optional<uint64_t> trailing_size(uint32_t kind, uint32_t count) {
  switch (kind) {
    case BTF_KIND_INT:
    case BTF_KIND_VAR:
    case BTF_KIND_DECL_TAG: return 4;
    case BTF_KIND_ARRAY: return sizeof(struct btf_array);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
    case BTF_KIND_DATASEC:
    case BTF_KIND_ENUM64: return 12 * uint64_t{count};
    case BTF_KIND_ENUM:
    case BTF_KIND_FUNC_PROTO: return 8 * uint64_t{count};
    case BTF_KIND_PTR:
    case BTF_KIND_FWD:
    case BTF_KIND_TYPEDEF:
    case BTF_KIND_VOLATILE:
    case BTF_KIND_CONST:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_FUNC:
    case BTF_KIND_FLOAT:
    case BTF_KIND_TYPE_TAG: return 0;
    default: return std::nullopt;
  }
}

uint32_t type_info(uint32_t kind, uint32_t count) { return kind << 24 | count; }

void replace_variable(BtfBytes& btf, uint64_t offset, btf_type type) {
  type.info = type_info(BTF_KIND_INT, 0);
  type.size = 1;
  btf.write(offset, type);
  btf.write(offset + sizeof(btf_type), uint32_t{8});  // 8 bits
}

// Turns a data section into a struct of bytes. Its members are variables, which replace_variable() turns into bytes.
void replace_data_section(BtfBytes& btf, uint64_t offset, btf_type type, uint32_t count) {
  type.info = type_info(BTF_KIND_STRUCT, count);
  type.name_off = 0;
  type.size = count;
  btf.write(offset, type);
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t position = offset + sizeof(btf_type) + uint64_t{i} * 12;
    btf_var_secinfo item{};
    if (!btf.read(position, item)) return;
    btf.write(position, btf_member{.name_off = 0, .type = item.type, .offset = i * 8});
  }
}

// The kernel requires names of parameters, which debug information may lack.
void name_parameters(BtfBytes& btf, uint64_t offset, uint32_t count, uint32_t name) {
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t position = offset + sizeof(btf_type) + uint64_t{i} * sizeof(btf_param);
    btf_param parameter{};
    if (!btf.read(position, parameter)) return;
    if (parameter.type == 0) continue;  // `...`
    if (parameter.name_off == 0) parameter.name_off = name;
    btf.write(position, parameter);
  }
}

Result<> make_loadable(BtfBytes& btf) {
  BtfHeader header{};
  if (!btf.read(0, header) || header.magic != BTF_MAGIC) return fail(damaged());
  uint64_t offset = uint64_t{header.hdr_len} + header.type_off, end = offset + header.type_len;
  if (end > btf.bytes.size()) return fail(damaged());

  // Appends a string; LLVM puts the string table last.
  uint32_t extra_name = 0;
  if (uint64_t{header.hdr_len} + header.str_off + header.str_len == btf.bytes.size()) {
    extra_name = header.str_len;
    for (char letter : {'p', '\0'}) btf.bytes.push_back(static_cast<std::byte>(letter));
    header.str_len += 2;
    btf.write(0, header);
  }
  while (offset < end) {
    btf_type type{};
    if (!btf.read(offset, type)) return fail(damaged());
    uint32_t kind = BTF_INFO_KIND(type.info), count = BTF_INFO_VLEN(type.info);
    auto trailing = trailing_size(kind, count);
    if (!trailing || *trailing > end - offset) return fail(damaged());
    if (kind == BTF_KIND_VAR) replace_variable(btf, offset, type);
    if (kind == BTF_KIND_DATASEC) replace_data_section(btf, offset, type, count);
    if (kind == BTF_KIND_FUNC_PROTO) name_parameters(btf, offset, count, extra_name);
    if (kind == BTF_KIND_FUNC && count != BTF_FUNC_STATIC) {
      // The verifier checks a global function separately, without the facts that its callers have established.
      type.info = type_info(BTF_KIND_FUNC, BTF_FUNC_STATIC);
      btf.write(offset, type);
    }
    offset += sizeof(btf_type) + *trailing;
  }
  return {};
}

}  // namespace

Result<Fd> load_btf(std::span<const std::byte> bytes) {
  int fd = bpf_btf_load(bytes.data(), bytes.size(), nullptr);
  if (fd < 0) return fail(Error::from_errno(-fd, "the kernel rejects BTF"));
  return Fd{fd};
}

// Reads .BTF.ext: a header, then for each kind of record its size and one list per code section.
class BtfExtReader {
 public:
  BtfExtReader(const BpfObjectFile& object, const BtfBytes& btf, ProgramBtf& out)
      : object_(object), btf_(btf), out_(out) {}

  Result<> read(std::span<const std::byte> bytes) {
    struct {
      uint16_t magic;
      uint8_t version, flags;
      uint32_t header_size, functions_at, functions_size, lines_at, lines_size;
    } header{};
    BtfBytes ext{{bytes.begin(), bytes.end()}};
    if (!ext.read(0, header) || header.magic != BTF_MAGIC) return fail(damaged());
    out_.sections_.resize(object_.sections().size());
    uint64_t base = header.header_size;
    DS_TRY_VOID(
        read_lists(ext, base + header.functions_at, header.functions_size, &ProgramBtf::SectionInfo::functions));
    return read_lists(ext, base + header.lines_at, header.lines_size, &ProgramBtf::SectionInfo::lines);
  }

 private:
  template <typename Record>
  Result<> read_lists(const BtfBytes& ext, uint64_t offset, uint64_t size,
                      std::vector<Record> ProgramBtf::SectionInfo::* list) {
    uint64_t end = offset + size;
    uint32_t record_size = 0;
    if (size == 0) return {};
    if (end > ext.bytes.size() || !ext.read(offset, record_size) || record_size < sizeof(Record))
      return fail(damaged());
    offset += 4;
    while (offset < end) {
      struct {
        uint32_t name, count;
      } section{};
      if (!ext.read(offset, section)) return fail(damaged());
      offset += sizeof section;
      const ObjectSection* code = object_.find_section(string_at(section.name));
      for (uint32_t i = 0; i < section.count; ++i, offset += record_size) {
        Record record{};
        if (offset >= end || !ext.read(offset, record)) return fail(damaged());
        if (code) (out_.sections_[code->index].*list).push_back(record);
      }
    }
    return {};
  }

  std::string_view string_at(uint32_t offset) const {
    BtfHeader header{};
    if (!btf_.read(0, header)) return {};
    uint64_t start = uint64_t{header.hdr_len} + header.str_off + offset;
    if (start >= btf_.bytes.size()) return {};
    const char* text = reinterpret_cast<const char*>(btf_.bytes.data()) + start;
    return {text, ::strnlen(text, btf_.bytes.size() - start)};
  }

  const BpfObjectFile& object_;
  const BtfBytes& btf_;
  ProgramBtf& out_;
};

Result<ProgramBtf> ProgramBtf::load(const BpfObjectFile& object) {
  const ObjectSection* types = object.find_section(".BTF");
  const ObjectSection* ext = object.find_section(".BTF.ext");
  if (!types || !ext) return fail(Error::make("the BPF object has no type information"));
  BtfBytes btf{{types->bytes.begin(), types->bytes.end()}};
  DS_TRY_VOID(make_loadable(btf));
  ProgramBtf result;
  DS_TRY_VOID((BtfExtReader{object, btf, result}.read(ext->bytes)));
  DS_TRY(result.fd_, load_btf(btf.bytes));
  return result;
}

ProgramDebugInfo ProgramBtf::debug_info(const LinkedProgram& program) const {
  ProgramDebugInfo info{.btf_fd = fd_.get()};
  for (const LinkedPart& part : program.parts) {
    auto move_records = [&](const auto& from, auto& to) {
      for (auto record : from) {
        if (record.insn_off < part.offset || record.insn_off >= part.offset + part.size) continue;
        record.insn_off = part.instruction_at(record.insn_off);
        to.push_back(record);
      }
    };
    move_records(sections_[part.section].functions, info.functions);
    move_records(sections_[part.section].lines, info.lines);
  }
  // The kernel requires a record for each function, or none at all.
  if (info.functions.size() != program.parts.size()) info.functions.clear();
  return info;
}

namespace {

// `blob` is a struct of a BtfHeader, types and strings; fills in the header.
template <typename Generated>
Result<Fd> load_generated(Generated& blob) {
  uint32_t type_size = sizeof blob - sizeof blob.header - sizeof blob.strings;
  blob.header = {.magic = BTF_MAGIC,
                 .version = BTF_VERSION,
                 .flags = 0,
                 .hdr_len = sizeof blob.header,
                 .type_off = 0,
                 .type_len = type_size,
                 .str_off = type_size,
                 .str_len = sizeof blob.strings};
  return load_btf(std::as_bytes(std::span{&blob, 1}));
}

}  // namespace

Result<Fd> load_storage_btf(uint32_t value_size) {
  constexpr char names[] = "\0int\0long";
  struct {
    BtfHeader header;
    btf_type key;
    uint32_t key_encoding;
    btf_type word;
    uint32_t word_encoding;
    btf_type value;
    struct btf_array words;
    char strings[sizeof names];
  } __attribute__((packed)) blob{};
  constexpr uint32_t signed_int = BTF_INT_SIGNED << 24;
  blob.key = {.name_off = 1, .info = type_info(BTF_KIND_INT, 0), .size = 4};
  blob.key_encoding = signed_int | 32;
  blob.word = {.name_off = 5, .info = type_info(BTF_KIND_INT, 0), .size = 8};
  blob.word_encoding = 64;
  blob.value = {.name_off = 0, .info = type_info(BTF_KIND_ARRAY, 0), .size = 0};
  blob.words = {.type = storage_btf_key + 1, .index_type = storage_btf_key, .nelems = value_size / 8};
  std::memcpy(blob.strings, names, sizeof names);
  return load_generated(blob);
}

}  // namespace dscope
