#include "runtime/dwarf/line_tables.h"

#include <dwarf.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace dscope {
namespace {

// Reads numbers from bytes. Behind their end it reads 0 and is not ok.
class Cursor {
 public:
  explicit Cursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool is_ok() const { return is_ok_; }
  bool has_more() const { return is_ok_ && at_ < bytes_.size(); }
  size_t position() const { return at_; }
  void move_to(size_t position) {
    is_ok_ = is_ok_ && position <= bytes_.size();
    if (is_ok_) at_ = position;
  }

  uint64_t number(size_t size) {
    uint64_t value = 0;
    if (size > sizeof value || bytes_.size() - at_ < size) is_ok_ = false;
    if (!is_ok_) return 0;
    std::memcpy(&value, bytes_.data() + at_, size);
    at_ += size;
    return value;
  }
  uint64_t uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; is_ok_; shift += 7) {
      uint64_t byte = number(1);
      if (shift < 64) value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  int64_t sleb() {
    uint64_t value = 0, byte = 0x80;
    unsigned shift = 0;
    for (; is_ok_ && (byte & 0x80) != 0; shift += 7) {
      byte = number(1);
      if (shift < 64) value |= (byte & 0x7f) << shift;
    }
    if (shift < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << shift;
    return static_cast<int64_t>(value);
  }
  std::string_view text() {
    std::string_view rest = is_ok_ ? text_at(bytes_, at_) : std::string_view{};
    move_to(at_ + rest.size() + 1);
    return is_ok_ ? rest : std::string_view{};
  }
  // The text at an offset, up to its NUL; empty if the offset lies outside.
  static std::string_view text_at(std::span<const std::byte> bytes, uint64_t offset) {
    if (offset >= bytes.size()) return {};
    const char* begin = reinterpret_cast<const char*>(bytes.data()) + offset;
    return {begin, ::strnlen(begin, bytes.size() - offset)};
  }

 private:
  std::span<const std::byte> bytes_;
  size_t at_ = 0;
  bool is_ok_ = true;
};

// The head of one table. Views refer to the sections.
struct Header {
  uint64_t version = 0, min_instruction_length = 1;
  bool is_statement_by_default = false;
  int64_t line_base = 0;
  uint64_t line_range = 1, opcode_base = 1, address_size = 8;
  std::vector<uint64_t> operand_counts;  // of standard operations, from 1
  std::vector<std::string_view> directories;
  struct File {
    std::string_view name;
    uint64_t directory = 0;
  };
  std::vector<File> files;
  size_t program = 0;  // offset in the table's bytes
};

constexpr uint64_t max_files = 1 << 20, max_extended_size = 4096;

class HeaderReader {
 public:
  HeaderReader(const LineSections& sections, std::span<const std::byte> table, bool is_64bit)
      : sections_(sections), cursor_(table), offset_size_(is_64bit ? 8 : 4) {}

  // False if the table is damaged or of an unknown version.
  bool read(Header& header) {
    header.version = cursor_.number(2);
    if (header.version < 2 || header.version > 5) return false;
    if (header.version >= 5) {
      header.address_size = cursor_.number(1);
      cursor_.number(1);  // size of segment selectors
    }
    uint64_t length = cursor_.number(offset_size_);
    header.program = cursor_.position() + length;
    header.min_instruction_length = cursor_.number(1);
    if (header.version >= 4) cursor_.number(1);  // operations per instruction, of other processors
    header.is_statement_by_default = cursor_.number(1) != 0;
    uint64_t base = cursor_.number(1);  // a signed byte
    header.line_base = base < 0x80 ? static_cast<int64_t>(base) : static_cast<int64_t>(base) - 0x100;
    header.line_range = cursor_.number(1);
    header.opcode_base = cursor_.number(1);
    for (uint64_t i = 1; i < header.opcode_base && cursor_.is_ok(); ++i)
      header.operand_counts.push_back(cursor_.number(1));
    if (header.line_range == 0 || header.opcode_base == 0) return false;
    header.version >= 5 ? read_names(header) : read_old_names(header);
    return cursor_.is_ok();
  }

 private:
  struct Format {
    uint64_t content = 0, form = 0;
  };

  void read_old_names(Header& header) {
    header.directories.emplace_back();
    while (cursor_.has_more()) {
      std::string_view directory = cursor_.text();
      if (directory.empty()) break;
      header.directories.push_back(directory);
    }
    header.files.emplace_back();  // files count from 1
    while (cursor_.has_more()) {
      std::string_view name = cursor_.text();
      if (name.empty()) break;
      header.files.push_back({.name = name, .directory = cursor_.uleb()});
      cursor_.uleb();  // time
      cursor_.uleb();  // size
    }
  }

  void read_names(Header& header) {
    read_entries([&](std::string_view name, uint64_t) { header.directories.push_back(name); });
    read_entries([&](std::string_view name, uint64_t directory) {
      header.files.push_back({.name = name, .directory = directory});
    });
  }

  template <typename Add>
  void read_entries(const Add& add) {
    std::vector<Format> formats(cursor_.number(1));
    for (Format& format : formats) {
      format.content = cursor_.uleb();
      format.form = cursor_.uleb();
    }
    uint64_t count = cursor_.uleb();
    if (formats.empty() || count > max_files) count = 0;
    for (uint64_t i = 0; i < count && cursor_.is_ok(); ++i) {
      std::string_view name;
      uint64_t directory = 0;
      for (const Format& format : formats) {
        auto [text, number] = read_form(format.form);
        if (format.content == DW_LNCT_path) name = text;
        if (format.content == DW_LNCT_directory_index) directory = number;
      }
      add(name, directory);
    }
  }

  std::pair<std::string_view, uint64_t> read_form(uint64_t form) {
    switch (form) {
      case DW_FORM_string: return {cursor_.text(), 0};
      case DW_FORM_line_strp: return {Cursor::text_at(sections_.line_strings, cursor_.number(offset_size_)), 0};
      case DW_FORM_strp: return {Cursor::text_at(sections_.strings, cursor_.number(offset_size_)), 0};
      case DW_FORM_udata: return {{}, cursor_.uleb()};
      case DW_FORM_data1: return {{}, cursor_.number(1)};
      case DW_FORM_data2: return {{}, cursor_.number(2)};
      case DW_FORM_data4: return {{}, cursor_.number(4)};
      case DW_FORM_data8: return {{}, cursor_.number(8)};
      case DW_FORM_data16: cursor_.move_to(cursor_.position() + 16); return {};
      case DW_FORM_block: {
        uint64_t size = cursor_.uleb();
        cursor_.move_to(size > std::numeric_limits<uint32_t>::max() ? SIZE_MAX : cursor_.position() + size);
        return {};
      }
      default: cursor_.move_to(SIZE_MAX); return {};  // unknown: the entries behind it cannot be found
    }
  }

  const LineSections& sections_;
  Cursor cursor_;
  size_t offset_size_;
};

// Executes the program of a table, which makes its rows.
class RowMaker {
 public:
  RowMaker(const Header& header, FileBudget& budget, std::vector<LineRow>& rows)
      : header_(header), budget_(budget), rows_(rows) {
    start_sequence();
  }

  void run(Cursor cursor) {
    cursor.move_to(header_.program);
    while (cursor.has_more() && budget_.has_time() && !is_full_) {
      uint64_t operation = cursor.number(1);
      if (operation >= header_.opcode_base) special(operation - header_.opcode_base);
      else if (operation == 0) extended(cursor);
      else standard(operation, cursor);
    }
  }

 private:
  void start_sequence() { state_ = {.file = 1, .line = 1, .is_statement = header_.is_statement_by_default}; }
  void advance(uint64_t operations) { state_.address += operations * header_.min_instruction_length; }
  void add_row() {
    is_full_ = !budget_.take(sizeof(LineRow));
    if (!is_full_) rows_.push_back(state_);
    state_.ends_prologue = false;
  }
  void special(uint64_t operation) {
    advance(operation / header_.line_range);
    state_.line += static_cast<uint32_t>(header_.line_base + static_cast<int64_t>(operation % header_.line_range));
    add_row();
  }

  void standard(uint64_t operation, Cursor& cursor) {
    switch (operation) {
      case DW_LNS_copy: return add_row();
      case DW_LNS_advance_pc: return advance(cursor.uleb());
      case DW_LNS_advance_line: state_.line += static_cast<uint32_t>(cursor.sleb()); return;
      case DW_LNS_set_file: state_.file = static_cast<uint32_t>(cursor.uleb()); return;
      case DW_LNS_negate_stmt: state_.is_statement = !state_.is_statement; return;
      case DW_LNS_const_add_pc: return advance((255 - header_.opcode_base) / header_.line_range);
      case DW_LNS_fixed_advance_pc: state_.address += cursor.number(2); return;
      case DW_LNS_set_prologue_end: state_.ends_prologue = true; return;
      default: break;  // no effect here
    }
    if (operation > header_.operand_counts.size()) return;
    for (uint64_t i = 0; i < header_.operand_counts[operation - 1]; ++i) cursor.uleb();
  }

  void extended(Cursor& cursor) {
    uint64_t size = cursor.uleb();
    size_t begin = cursor.position();
    if (size == 0 || size > max_extended_size) return cursor.move_to(SIZE_MAX);
    uint64_t operation = cursor.number(1);
    if (operation == DW_LNE_set_address) state_.address = cursor.number(std::min<size_t>(size - 1, 8));
    if (operation == DW_LNE_end_sequence) {
      state_.ends_sequence = true;
      add_row();
      start_sequence();
    }
    cursor.move_to(begin + size);
  }

  const Header& header_;
  FileBudget& budget_;
  std::vector<LineRow>& rows_;
  LineRow state_;
  bool is_full_ = false;
};

std::string path_of(const Header& header, const Header::File& file) {
  std::string path{file.name};
  auto directory = [&](uint64_t index) {
    return index < header.directories.size() ? header.directories[index] : std::string_view{};
  };
  if (!path.starts_with('/') && !directory(file.directory).empty())
    path = std::string{directory(file.directory)} + "/" + path;
  // Before version 5, directory 0 is that of the compilation, which the table does not name.
  if (!path.starts_with('/') && header.version >= 5 && file.directory != 0 && !directory(0).empty())
    path = std::string{directory(0)} + "/" + path;
  return path;
}

}  // namespace

std::vector<const LineTable*> LineTables::find(const std::function<bool(std::string_view path)>& is_wanted) {
  std::vector<const LineTable*> found;
  size_t offset = 0;
  budget_.restart_clock();
  while (offset < sections_.lines.size() && budget_.check_clock()) {
    Cursor cursor(sections_.lines.subspan(offset));
    constexpr uint64_t announces_64bit = 0xffffffff;
    uint64_t length = cursor.number(4);
    bool is_64bit = length == announces_64bit;
    if (is_64bit) length = cursor.number(8);
    size_t begin = offset + cursor.position(), left = sections_.lines.size() - std::min(begin, sections_.lines.size());
    if (!cursor.is_ok() || length > left) break;
    std::span<const std::byte> bytes = sections_.lines.subspan(begin, length);
    size_t at = std::exchange(offset, begin + length);
    Header header;
    if (!HeaderReader(sections_, bytes, is_64bit).read(header)) continue;
    auto is_wanted_file = [&](const Header::File& file) {
      return !file.name.empty() && is_wanted(path_of(header, file));
    };
    if (std::ranges::none_of(header.files, is_wanted_file)) continue;
    auto [table, is_new] = tables_.try_emplace(at);
    if (is_new) {
      for (const Header::File& file : header.files) table->second.files.push_back(path_of(header, file));
      RowMaker(header, budget_, table->second.rows).run(Cursor(bytes));
    }
    found.push_back(&table->second);
  }
  return found;
}

}  // namespace dscope
