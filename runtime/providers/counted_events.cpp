#include "runtime/providers/counted_events.h"

#include <dirent.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <memory>
#include <span>

#include "runtime/kernel/perf_event.h"
#include "support/format.h"
#include "support/read_file.h"
#include "support/text/parse_integer.h"
#include "support/text/word_list.h"

namespace dscope {
namespace {

struct NamedEvent {
  std::string_view name;
  uint64_t config;
};

constexpr NamedEvent software_events[] = {{"alignment_faults", PERF_COUNT_SW_ALIGNMENT_FAULTS},
                                          {"context_switches", PERF_COUNT_SW_CONTEXT_SWITCHES},
                                          {"cpu_clock", PERF_COUNT_SW_CPU_CLOCK},
                                          {"cpu_migrations", PERF_COUNT_SW_CPU_MIGRATIONS},
                                          {"emulation_faults", PERF_COUNT_SW_EMULATION_FAULTS},
                                          {"major_faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ},
                                          {"minor_faults", PERF_COUNT_SW_PAGE_FAULTS_MIN},
                                          {"page_faults", PERF_COUNT_SW_PAGE_FAULTS},
                                          {"task_clock", PERF_COUNT_SW_TASK_CLOCK}};

constexpr NamedEvent hardware_events[] = {{"branch_instructions", PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
                                          {"branch_misses", PERF_COUNT_HW_BRANCH_MISSES},
                                          {"bus_cycles", PERF_COUNT_HW_BUS_CYCLES},
                                          {"cache_misses", PERF_COUNT_HW_CACHE_MISSES},
                                          {"cache_references", PERF_COUNT_HW_CACHE_REFERENCES},
                                          {"cpu_cycles", PERF_COUNT_HW_CPU_CYCLES},
                                          {"instructions", PERF_COUNT_HW_INSTRUCTIONS},
                                          {"ref_cycles", PERF_COUNT_HW_REF_CPU_CYCLES},
                                          {"stalled_cycles_backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
                                          {"stalled_cycles_frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND}};

constexpr NamedEvent caches[] = {{"bpu", PERF_COUNT_HW_CACHE_BPU},   {"dtlb", PERF_COUNT_HW_CACHE_DTLB},
                                 {"itlb", PERF_COUNT_HW_CACHE_ITLB}, {"l1d", PERF_COUNT_HW_CACHE_L1D},
                                 {"l1i", PERF_COUNT_HW_CACHE_L1I},   {"ll", PERF_COUNT_HW_CACHE_LL},
                                 {"node", PERF_COUNT_HW_CACHE_NODE}};

// Config of cache events: the operation in one byte, the result (access or miss) in the next.
constexpr uint64_t missed = PERF_COUNT_HW_CACHE_RESULT_MISS << 8;
constexpr NamedEvent cache_operations[] = {{"load_misses", PERF_COUNT_HW_CACHE_OP_READ | missed},
                                           {"loads", PERF_COUNT_HW_CACHE_OP_READ},
                                           {"loads_misses", PERF_COUNT_HW_CACHE_OP_READ | missed},
                                           {"prefetch_misses", PERF_COUNT_HW_CACHE_OP_PREFETCH | missed},
                                           {"prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH},
                                           {"prefetches_misses", PERF_COUNT_HW_CACHE_OP_PREFETCH | missed},
                                           {"store_misses", PERF_COUNT_HW_CACHE_OP_WRITE | missed},
                                           {"stores", PERF_COUNT_HW_CACHE_OP_WRITE},
                                           {"stores_misses", PERF_COUNT_HW_CACHE_OP_WRITE | missed}};

// Names of the same events in PAPI and on other systems.
struct Synonym {
  std::string_view name, event;
};
constexpr Synonym synonyms[] = {{"PAPI_br_ins", "branch_instructions"}, {"PAPI_br_msp", "branch_misses"},
                                {"PAPI_l1_dca", "l1d_loads"},           {"PAPI_l1_dcm", "l1d_load_misses"},
                                {"PAPI_l1_icm", "l1i_load_misses"},     {"PAPI_l3_dcm", "ll_load_misses"},
                                {"PAPI_l3_tca", "cache_references"},    {"PAPI_l3_tcm", "cache_misses"},
                                {"PAPI_ref_cyc", "ref_cycles"},         {"PAPI_res_stl", "stalled_cycles_backend"},
                                {"PAPI_tlb_dm", "dtlb_load_misses"},    {"PAPI_tlb_im", "itlb_load_misses"},
                                {"PAPI_tot_cyc", "cpu_cycles"},         {"PAPI_tot_ins", "instructions"},
                                {"ref_cpu_cycles", "ref_cycles"}};

constexpr uint64_t min_hardware_period = 5000;
constexpr uint64_t min_clock_period = 100'000;  // nanoseconds

std::optional<uint64_t> find_config(std::span<const NamedEvent> events, std::string_view name) {
  auto row = std::find_if(events.begin(), events.end(), [&](const NamedEvent& event) { return event.name == name; });
  return row == events.end() ? std::nullopt : std::optional{row->config};
}

std::optional<CountedEvent> find_cache_event(std::string_view name) {
  size_t end = name.find('_');
  if (end == std::string_view::npos) return std::nullopt;
  auto cache = find_config(caches, name.substr(0, end));
  auto operation = find_config(cache_operations, name.substr(end + 1));
  if (!cache || !operation) return std::nullopt;
  return CountedEvent{PERF_TYPE_HW_CACHE, *cache | *operation << 8, min_hardware_period};
}

// ---------------------------------------------------------------- events of devices

std::string as_name(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return c == '-' || c == '.' ? '_' : static_cast<char>(std::tolower(c)); });
  return text;
}

std::vector<std::string> list_folder(const std::string& path) {
  std::unique_ptr<DIR, int (*)(DIR*)> folder{::opendir(path.c_str()), ::closedir};
  std::vector<std::string> names;
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr)
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  return names;
}

std::string read_line(const std::string& path) {
  auto text = read_file(path.c_str());
  if (!text) return {};
  return text->substr(0, text->find('\n'));
}

// Moves the bits of `value`, lowest first, to the positions of a format such as "config:0-7,32-35". Nothing if the
// format does not describe `config`.
std::optional<uint64_t> deposit_bits(std::string_view format, uint64_t value) {
  if (split_front(format, ":") != "config") return std::nullopt;
  uint64_t deposited = 0;
  while (!format.empty()) {
    std::string_view range = split_front(format, ",");
    auto first = parse_integer(split_front(range, "-"), 10);
    auto last = range.empty() ? first : parse_integer(range, 10);
    if (!first || !last || *last > 63 || *first > *last) return std::nullopt;
    for (uint64_t bit = *first; bit <= *last; ++bit, value >>= 1) deposited |= (value & 1) << bit;
  }
  return deposited;
}

// Parses "event=0x3c,umask=0x1"; the device's format/ folder gives the bits of each term.
std::optional<uint64_t> read_terms(const std::string& device, std::string_view terms) {
  uint64_t config = 0;
  while (!terms.empty()) {
    std::string_view number = split_front(terms, ",");
    std::string term{split_front(number, "=")};
    auto value = number.empty() ? std::optional<uint64_t>{1}
                                : parse_integer(number.substr(number.starts_with("0x") ? 2 : 0),
                                                number.starts_with("0x") ? 16 : 10);
    if (!value) return std::nullopt;
    auto deposited = deposit_bits(read_line(fmt::format("{}/format/{}", device, term)), *value);
    if (!deposited) return std::nullopt;
    config |= *deposited;
  }
  return config;
}

std::optional<CountedEvent> find_device_event(std::string_view name, const std::string& devices) {
  for (const std::string& device_name : list_folder(devices)) {
    if (!name.starts_with(as_name(device_name) + "_")) continue;
    std::string device = devices + "/" + device_name;
    for (const std::string& event : list_folder(device + "/events")) {
      if (as_name(device_name + "_" + event) != name) continue;
      auto type = parse_integer(read_line(device + "/type"), 10);
      auto config = read_terms(device, read_line(fmt::format("{}/events/{}", device, event)));
      if (type && config) return CountedEvent{static_cast<uint32_t>(*type), *config, min_hardware_period};
    }
  }
  return std::nullopt;
}

std::vector<std::string> names_of(std::span<const NamedEvent> events) {
  std::vector<std::string> names;
  for (const NamedEvent& event : events) names.emplace_back(event.name);
  return names;
}

}  // namespace

std::optional<CountedEvent> find_counted_event(std::string_view name, const std::string& devices) {
  for (const Synonym& synonym : synonyms)
    if (synonym.name == name) name = synonym.event;
  if (auto config = find_config(software_events, name))
    return CountedEvent{PERF_TYPE_SOFTWARE, *config, name.ends_with("_clock") ? min_clock_period : 1};
  if (auto config = find_config(hardware_events, name))
    return CountedEvent{PERF_TYPE_HARDWARE, *config, min_hardware_period};
  if (auto event = find_cache_event(name)) return event;
  if (name.starts_with("r"))
    if (auto config = parse_integer(name.substr(1), 16))
      return CountedEvent{PERF_TYPE_RAW, *config, min_hardware_period};
  return find_device_event(name, devices);
}

std::vector<std::string> software_event_names() { return names_of(software_events); }

std::vector<std::string> hardware_event_names() {
  std::vector<std::string> names = names_of(hardware_events);
  for (const NamedEvent& cache : caches)
    for (const NamedEvent& operation : cache_operations)
      if (operation.name.find("s_misses") == std::string_view::npos)
        names.push_back(fmt::format("{}_{}", cache.name, operation.name));
  return names;
}

HookPerfEvent counting_hook(const CountedEvent& event, uint64_t period) {
  return {.type = event.type, .config = event.config, .period = period};
}

int counting_error(const HookPerfEvent& hook) {
  if (const MachineRecord* record = recorded_machine())
    return hook.type == PERF_TYPE_SOFTWARE || record->counts_hardware_events ? 0 : ENOENT;
  return open_perf_event(hook, 0) ? 0 : errno;
}

std::optional<uint64_t> read_event_count(std::string_view text) {
  auto count = parse_integer(text, 10);
  // The kernel reserves the highest bit.
  return count && *count > 0 && *count <= INT64_MAX ? count : std::nullopt;
}

}  // namespace dscope
