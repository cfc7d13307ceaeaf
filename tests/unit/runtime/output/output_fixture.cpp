#include "output_fixture.h"

namespace dscope::test {

FormatPlan parse_format(const std::string& text) {
  FormatPlan plan{.text = text};
  int32_t next_field = 0;
  FormatPiece piece;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      piece.literal += text[i];
      continue;
    }
    bool in_precision = false;
    for (++i; i < text.size() && piece.conversion == 0; ++i) {
      char c = text[i];
      uint32_t& number = in_precision ? piece.precision : piece.width;
      if (c == '0' && piece.width == 0 && !in_precision) {
        piece.zero_pad = true;
        piece.left = false;
      } else if (c >= '0' && c <= '9') number = number * 10 + static_cast<uint32_t>(c - '0');
      else if (c == '#') piece.alternate = true;
      else if (c == '-') {
        piece.left = true;
        piece.zero_pad = false;
      } else if (c == '+') piece.plus = true;
      else if (c == ' ') piece.space = true;
      else if (c == '\'') piece.thousands = true;
      else if (c == '.') in_precision = true;
      else if (c == '*') (in_precision ? piece.precision_field : piece.width_field) = next_field++;
      else if (c == '?') piece.width = 16;
      else if (c == '@') piece.is_aggregation_value = true;
      else if (c == 'p' && piece.is_aggregation_value && std::isdigit(text[i + 1]) != 0) {
        size_t end = text.find_first_not_of("0123456789.", i + 1);
        piece.percentile = parse_percentile(std::string_view{text}.substr(i + 1, end - i - 1));
        i = end - 1;
      } else if (c == 'w') piece.is_wide = true;
      else if (c == 'h' || c == 'L') continue;
      else if (c == 'l') piece.is_wide = i + 1 < text.size() && (text[i + 1] == 's' || text[i + 1] == 'c');
      else piece.conversion = c;
    }
    --i;
    if (piece.conversion != '%' && !piece.is_aggregation_value) piece.field = next_field++;
    plan.pieces.push_back(piece);
    piece = {};
  }
  if (!piece.literal.empty()) plan.pieces.push_back(piece);
  return plan;
}

void FakeSource::put(uint32_t id, const std::vector<std::byte>& key, uint32_t cpu, const std::vector<int64_t>& words) {
  auto& list = elements[id];
  auto found = std::find_if(list.begin(), list.end(), [&](auto& element) { return element.key == key; });
  size_t size = words.size() * 8;
  if (found == list.end()) found = list.insert(list.end(), {key, CpuValues{size}});
  std::memcpy(found->values.at(cpu), words.data(), size);
}

void FakeSource::put_extreme(uint32_t id, const std::vector<std::byte>& key, uint32_t cpu, int64_t value) {
  std::vector<int64_t> words(4);
  for (const AggregationElement& element : elements[id])
    if (const std::byte* known = element.key == key ? element.values.find(cpu) : nullptr; known != nullptr)
      std::memcpy(words.data(), known, 32);
  uint64_t present = generation(id);
  words[present % 2 * 2] = value;
  words[present % 2 * 2 + 1] = static_cast<int64_t>(present + 1);
  put(id, key, cpu, words);
}

namespace {

struct Named {
  uint64_t start, end;
  const char *module, *name;
};
constexpr Named kernel_names[] = {{kernel_base + 0x1000, kernel_base + 0x2000, "vmlinux", "vfs_read"},
                                  {kernel_base + 0x2000, kernel_base + 0x3000, "vmlinux", "ksys_read"},
                                  {kernel_base + 0x3000, kernel_base + 0x4000, "ext4", "ext4_sync"},
                                  {kernel_base + 0x4000, kernel_base + 0x5000, "ext4", nullptr},
                                  {kernel_base + 0x9000, kernel_base + 0xa000, "bpf", "bpf_prog_x"}};
constexpr Named user_names[] = {
    {0x4000, 0x5000, "prog", "main"}, {0x5000, 0x6000, "prog", "helper"}, {0x7000, 0x8000, "libc.so.6", nullptr}};

template <size_t N>
const Named* find(const Named (&names)[N], uint64_t address) {
  for (const Named& named : names)
    if (address >= named.start && address < named.end) return &named;
  return nullptr;
}
// Process 142 executes the same program.
const Named* find_user(uint32_t tgid, uint64_t address) {
  return tgid % 100 == 42 ? find(user_names, address) : nullptr;
}

std::string text(const Named* named, uint64_t address, bool with_offset) {
  if (!named) return fmt::format("0x{:x}", address);
  if (!named->name) return fmt::format("{}`0x{:x}", named->module, address);
  uint64_t offset = address - named->start;
  return fmt::format("{}`{}", named->module, named->name) +
         (with_offset && offset ? fmt::format("+0x{:x}", offset) : "");
}
std::string module(const Named* named, uint64_t address) {
  return named ? named->module : fmt::format("0x{:x}", address);
}
uint64_t start(const Named* named, uint64_t address) { return named && named->name ? named->start : address; }
template <size_t N>
uint64_t module_start(const Named (&names)[N], const Named* named, uint64_t address) {
  for (const Named& other : names)
    if (named && std::string_view{other.module} == named->module) return other.start;
  return address;
}

}  // namespace

std::string FakeSymbolizer::kernel_symbol(uint64_t address, bool with_offset) {
  return text(find(kernel_names, address), address, with_offset);
}
std::string FakeSymbolizer::kernel_module(uint64_t address) { return module(find(kernel_names, address), address); }
std::string FakeSymbolizer::user_symbol(uint32_t tgid, uint64_t address, bool with_offset) {
  return text(find_user(tgid, address), address, with_offset);
}
std::string FakeSymbolizer::user_module(uint32_t tgid, uint64_t address) {
  return module(find_user(tgid, address), address);
}
uint64_t FakeSymbolizer::kernel_symbol_start(uint64_t address) { return start(find(kernel_names, address), address); }
uint64_t FakeSymbolizer::kernel_module_start(uint64_t address) {
  return module_start(kernel_names, find(kernel_names, address), address);
}
uint64_t FakeSymbolizer::user_symbol_start(uint32_t tgid, uint64_t address) {
  return start(find_user(tgid, address), address);
}
uint64_t FakeSymbolizer::user_module_start(uint32_t tgid, uint64_t address) {
  return module_start(user_names, find_user(tgid, address), address);
}
bool FakeSymbolizer::is_tracer_frame(uint64_t address) {
  const Named* named = find(kernel_names, address);
  return named && std::string_view{named->module} == "bpf";
}

OutputTest::OutputTest() {
  add_probe("dtrace", "", "", "BEGIN");
  add_probe("dtrace", "", "", "END");
  add_probe("dtrace", "", "", "ERROR");
}

uint32_t OutputTest::add_probe(const std::string& provider, const std::string& module_name, const std::string& function,
                               const std::string& name) {
  auto row = static_cast<uint32_t>(plan.probes.size());
  plan.probes.push_back({.id = row + 1,
                         .provider = provider,
                         .module = module_name,
                         .function = function,
                         .name = name,
                         .is_system_call = provider == "syscall",
                         .is_end = provider == "dtrace" && name == "END"});
  return row;
}

CannedClause OutputTest::clause(uint32_t probe_row, bool has_record) {
  CannedClause canned;
  canned.plan.has_record = has_record;
  canned.probe_row = probe_row;
  return canned;
}

int32_t OutputTest::add_format(const std::string& text) {
  plan.formats.push_back(parse_format(text));
  return static_cast<int32_t>(plan.formats.size() - 1);
}

uint32_t OutputTest::add_aggregation(AggregationFunction function, std::vector<Field> keys, uint32_t data_words) {
  auto id = static_cast<uint32_t>(plan.aggregations.size());
  bool is_extreme = function == AggregationFunction::Min || function == AggregationFunction::Max;
  AggregationPlan aggregation{.name = fmt::format("a{}", id), .function = function, .keys = std::move(keys)};
  aggregation.data_words = data_words;
  for (const Field& key : aggregation.keys) aggregation.key_size = (key.offset + key.size + 7) / 8 * 8;
  aggregation.has_state_word = is_extreme || aggregation.keys.empty();
  aggregation.has_generation = is_extreme;
  aggregation.value_size = aggregation.slot_size() * (is_extreme ? 2 : 1);
  aggregation.is_value_signed = function != AggregationFunction::Count;
  plan.aggregations.push_back(aggregation);
  return id;
}

Consumer& OutputTest::consumer() {
  if (consumer_) return *consumer_;
  consumer_ = Consumer::create(plan, settings, source, symbols, out, messages);
  consumer_->begin_pass();
  return *consumer_;
}

void OutputTest::add(CannedClause& canned) {
  canned.plan.number = static_cast<uint32_t>(plan.clauses.size());
  canned.plan.record_size = static_cast<uint32_t>(canned.layout.bytes().size());
  canned.is_added = true;
  plan.clauses.push_back(canned.plan);
  restart();
}

void OutputTest::feed(CannedClause& canned) {
  if (!canned.is_added) add(canned);
  std::vector<std::byte> bytes = canned.layout.bytes();
  ds_record_header header{.clause = canned.plan.number,
                          .probe_row = canned.probe_row,
                          .cpu = canned.cpu,
                          .speculation = canned.speculation};
  std::memcpy(bytes.data(), &header, sizeof header);
  consumer().record(bytes);
}

std::string OutputTest::print_format(const std::string& format, std::function<std::vector<Field>(Layout&)> fields) {
  set(OptionId::Quiet);
  CannedClause canned = clause();
  canned.action(Action::Printf, fields(canned.layout));
  canned.plan.actions[0].format = add_format(format);
  return print(canned);
}

}  // namespace dscope::test
