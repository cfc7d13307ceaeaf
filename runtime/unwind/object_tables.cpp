#include "runtime/unwind/object_tables.h"

#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "capture/keyed_hash.h"
#include "runtime/elf/bounded_elf.h"

namespace dscope {

namespace {

constexpr uint64_t page_bytes = uint64_t{1} << DS_UNWIND_PAGE_BITS;
constexpr uint32_t rule_words = sizeof(ds_unwind_rule) / 4, max_pages = 32'768;

uint64_t word_of(const ds_unwind_rule& rule) {
  uint64_t word = 0;
  std::memcpy(&word, &rule, sizeof word);
  return word;
}

// Adds the rows of a table page by page.
class PageWriter {
 public:
  PageWriter(TableMemory& memory, std::span<uint32_t> pages) : memory_(memory), pages_(pages) {}

  void add(uint32_t offset_in_page, uint16_t rule) { rows_.push_back(offset_in_page << 16 | rule); }

  // Ends the page `number`. False if there is no memory.
  bool end_page(uint32_t number) {
    auto count = static_cast<uint32_t>(rows_.size());
    auto location = memory_.allocate(count);
    if (!location) return false;
    std::ranges::copy(rows_, memory_.at(*location, count).begin());
    pages_[number * 2] = *location;
    pages_[number * 2 + 1] = count;
    rows_.clear();
    return true;
  }

 private:
  TableMemory& memory_;
  std::span<uint32_t> pages_;
  std::vector<uint32_t> rows_;
};

}  // namespace

ObjectTables::ObjectTables(TableMemory& memory, const Architecture& architecture)
    : memory_(memory),
      architecture_(architecture),
      rules_at_(memory.allocate(DS_UNWIND_MAX_RULES * rule_words)),
      key_{} {
  if (::getrandom(key_.data(), sizeof key_, 0) != sizeof key_) key_ = {};
  rules_.emplace(0, 0);  // row 0: no rule
}

std::optional<uint16_t> ObjectTables::number_of(const ds_unwind_rule& rule) {
  if (rule.kind == 0) return uint16_t{0};
  auto [entry, is_new] = rules_.try_emplace(word_of(rule), static_cast<uint16_t>(rules_.size()));
  if (!is_new) return entry->second;
  if (rules_.size() > DS_UNWIND_MAX_RULES || !rules_at_) {
    rules_.erase(entry);
    return std::nullopt;
  }
  std::span<uint32_t> words = memory_.at(*rules_at_, DS_UNWIND_MAX_RULES * rule_words);
  std::memcpy(words.data() + entry->second * rule_words, &rule, sizeof rule);
  return entry->second;
}

ObjectTables::Pages ObjectTables::store(const std::vector<RuleRow>& rows) {
  if (rows.empty()) return {};
  uint64_t first_page = rows.front().address / page_bytes * page_bytes;
  uint64_t count = (rows.back().address - first_page) / page_bytes + 1;
  auto location = count <= max_pages ? memory_.allocate(static_cast<uint32_t>(count) * 2) : std::nullopt;
  if (!location) {
    ++rejected_;
    return {};
  }
  Pages pages{.first_page = first_page, .location = *location, .count = static_cast<uint32_t>(count)};
  PageWriter writer{memory_, memory_.at(*location, pages.count * 2)};
  size_t next = 0;
  uint16_t rule = 0;  // at the start of the page
  for (uint32_t page = 0; page < pages.count; ++page) {
    uint64_t start = first_page + page * page_bytes;
    if (next == rows.size() || rows[next].address != start) writer.add(0, rule);
    for (; next < rows.size() && rows[next].address - start < page_bytes; ++next) {
      // A rule that does not fit ends stacks.
      static constexpr ds_unwind_rule end{
          .kind = DS_UNWIND_UNSUPPORTED, .frame_kind = 0, .frame_offset = 0, .offset = 0};
      auto number = number_of(rows[next].rule);
      rule = number ? *number : number_of(end).value_or(0);
      writer.add(static_cast<uint32_t>(rows[next].address - start), rule);
    }
    if (!writer.end_page(page)) {
      ++rejected_;
      return {};
    }
  }
  return pages;
}

ObjectTables::Pages ObjectTables::pages_of(const FrameSection& section, FileBudget& budget) {
  std::array<uint64_t, 2> second_key{key_[1], key_[0] ^ section.address};
  std::string_view bytes{reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size()};
  Contents contents{keyed_hash(key_, bytes), keyed_hash(second_key, bytes)};
  auto [entry, is_new] = tables_.try_emplace(contents);
  if (is_new) entry->second = store(read_frame_rules(section, budget, architecture_));
  return entry->second;
}

ObjectTable ObjectTables::read(Elf* elf, FileBudget& budget) {
  ObjectTable table;
  size_t names = 0, segments = 0;
  if (gelf_getclass(elf) != ELFCLASS64 || elf_getshdrstrndx(elf, &names) != 0) return table;
  if (elf_getphdrnum(elf, &segments) != 0) return table;
  for (size_t i = 0; i < segments && budget.has_time(); ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr) break;
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0)
      table.segments.push_back({.offset = segment.p_offset, .size = segment.p_filesz, .address = segment.p_vaddr});
  }
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr && budget.has_time();) {
    GElf_Shdr header;
    const char* name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : nullptr;
    if (name == nullptr || std::strcmp(name, ".eh_frame") != 0) continue;
    const Elf_Data* data = raw_section_data(section, budget);
    if (data == nullptr) break;
    Pages pages = pages_of(
        {.bytes = {static_cast<const uint8_t*>(data->d_buf), data->d_size}, .address = header.sh_addr}, budget);
    table.first_page = pages.first_page;
    table.pages = pages.location;
    table.page_count = pages.count;
    break;
  }
  return table;
}

const ObjectTable& ObjectTables::of_file(int fd) {
  static const ObjectTable none;
  struct stat status{};
  if (fd < 0 || ::fstat(fd, &status) != 0) return none;
  FileKey key{
      status.st_dev, status.st_ino, static_cast<uint64_t>(status.st_size),
      static_cast<uint64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(status.st_mtim.tv_nsec)};
  if (auto known = files_.find(key); known != files_.end()) return known->second;
  FileBudget budget(fd);
  ElfHandle elf = open_elf(fd, budget);
  return files_.emplace(key, elf ? read(elf.get(), budget) : ObjectTable{}).first->second;
}

const ObjectTable& ObjectTables::of_memory(std::span<char> image) {
  if (image_) return *image_;
  FileBudget budget(-1);
  elf_version(EV_CURRENT);
  ElfHandle elf;
  if (!image.empty()) elf.reset(elf_memory(image.data(), image.size()));
  return image_.emplace(elf ? read(elf.get(), budget) : ObjectTable{});
}

}  // namespace dscope
