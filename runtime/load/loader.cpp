#include "runtime/load/loader.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "contract/buffers/buffer_policy.h"
#include "runtime/load/function_types.h"
#include "runtime/load/module_types.h"
#include "runtime/load/program_btf.h"
#include "runtime/load/program_linker.h"
#include "runtime/load/verifier_log.h"
#include "support/check.h"
#include "support/print_message.h"

namespace dscope {
namespace {

// BPF_TRACE_UPROBE_MULTI of Linux 6.6.
constexpr int attach_type_uprobe_multi = 48;

bpf_prog_type program_type(const BpfProgramPlan& program) {
  const auto* function = std::get_if<HookFunction>(&program.attachments.front().hook);
  if (function != nullptr && function->mechanism == FunctionMechanism::Security) return BPF_PROG_TYPE_LSM;
  if (program.has_typed_context) return BPF_PROG_TYPE_TRACING;
  switch (program.context) {
    case BpfContext::RawTracepoint: return BPF_PROG_TYPE_RAW_TRACEPOINT;
    case BpfContext::Tracepoint: return BPF_PROG_TYPE_TRACEPOINT;
    case BpfContext::PerfEvent: return BPF_PROG_TYPE_PERF_EVENT;
    case BpfContext::Probe:
    case BpfContext::KernelProbe: return BPF_PROG_TYPE_KPROBE;
    case BpfContext::Function:
    case BpfContext::Iterator: return BPF_PROG_TYPE_TRACING;
  }
  DS_UNREACHABLE();
}

bool is_ring_kind(MapKind kind) { return kind == MapKind::RingBuffer || kind == MapKind::RingTable; }

// Program names in the kernel have at most 15 characters of [A-Za-z0-9_.].
std::string kernel_name(const std::string& symbol) {
  std::string name = symbol.substr(0, 15);
  for (char& letter : name) {
    if (!std::isalnum(static_cast<unsigned char>(letter)) && letter != '_') letter = '_';
  }
  return name;
}

class Loader : SymbolResolver {
 public:
  Loader(const ProgramPlan& plan, const BpfObjectFile& object, Progress* progress, const MapSet* shared,
         MapSet existing)
      : plan_(plan),
        object_(object),
        progress_(progress),
        shared_(shared),
        existing_(std::move(existing)),
        always_log_(plan.options.is_on(OptionId::Bpflog)) {}

  Result<LoadedObject> load() {
    DS_TRY_VOID(check_functions());
    if (shared_ == nullptr) DS_TRY_VOID(create_maps());
    for (const BpfProgramPlan& program : plan_.programs) {
      show(progress_, "loading program", 1 + static_cast<size_t>(&program - plan_.programs.data()),
           plan_.programs.size());
      DS_TRY_VOID(load_program(program));
    }
    return std::move(result_);
  }

 private:
  // Option functionlimit: a function that is attached by a link of its own takes tens of milliseconds, and more to
  // detach.
  Result<> check_functions() const {
    auto is_single = [](const Attachment& attachment) {
      const auto* hook = std::get_if<HookFunction>(&attachment.hook);
      return hook != nullptr && hook->mechanism != FunctionMechanism::Multi;
    };
    int64_t count = 0, limit = plan_.options.number(OptionId::Functionlimit);
    for (const BpfProgramPlan& program : plan_.programs)
      count += std::count_if(program.attachments.begin(), program.attachments.end(), is_single);
    if (count <= limit) return {};
    return fail(
        Error::make("{} would be attached one by one on this kernel, {}",
                    count == 1 ? "1 function" : fmt::format("{} functions", count),
                    limit == 0 ? "which functionlimit=0 forbids" : fmt::format("the limit is {}", limit))
            .hint(fmt::format("{}raise the limit: -x functionlimit={}", limit == 0 ? "" : "name fewer, or ", count)));
  }

  // If memory is short, halves the size of the map until it fits; with bufresize=manual fails instead for the ring.
  Result<BpfMap> create_map(const MapPlan& wanted) const {
    constexpr uint32_t min_entries = 1024, min_ring = 4096;
    bool is_ring = is_ring_kind(wanted.kind);
    bool is_manual = is_ring && plan_.options.text(OptionId::Bufresize) == "manual";
    bool may_shrink = !is_manual && (is_ring || wanted.size_option);
    if (is_manual && wanted.requested_entries > wanted.max_entries) return buffer_error();
    MapPlan map = wanted;
    auto created = BpfMap::create(map);
    auto lacks_memory = [&] {
      return !created && (created.error().error_number() == ENOMEM || created.error().error_number() == E2BIG);
    };
    while (lacks_memory() && may_shrink && map.max_entries > (is_ring ? min_ring : min_entries)) {
      map.max_entries /= 2;
      created = BpfMap::create(map);
    }
    return is_manual && lacks_memory() ? buffer_error() : std::move(created);
  }

  Result<BpfMap> buffer_error() const {
    return fail(Error::from_errno(ENOMEM, "no buffer of {} bytes for each CPU", buffer_size(plan_.options)));
  }

  Result<> create_maps() {
    for (const MapPlan& map : plan_.maps) {
      if (result_.maps.insert(existing_.extract(map.name)).inserted) continue;
      if (is_ring_kind(map.kind)) DS_TRY_VOID(check_ring(map));
      DS_TRY(BpfMap created, create_map(map));
      result_.maps.emplace(map.name, std::move(created));
    }
    return {};
  }

  // Uses the reference's text (consumer-and-actions.md 2.4).
  Result<> check_ring(const MapPlan& ring) const {
    constexpr uint32_t kernel_header = 8;
    uint32_t overhead = kernel_header + (ring.kind == MapKind::RingTable ? sizeof(ds_ring_stamp) : 0);
    for (const ClausePlan& clause : plan_.clauses) {
      if (clause.sends_records() && clause.record_size + overhead > ring.max_entries)
        return fail(Error::make("Enabling exceeds size of buffer"));
    }
    return {};
  }

  Result<> load_program(const BpfProgramPlan& program) {
    if (!program.cookie_by_copy) return load_copy(program, program.attachments, 0);
    if (program.context == BpfContext::Function) return load_functions(program);
    for (const Attachment& attachment : program.attachments)
      DS_TRY_VOID(load_copy(program, {attachment}, attachment.cookie));
    return {};
  }

  // Loads a copy of the program for each function. If the kernel rejects it for some functions only, the program is
  // correct: omits those functions.
  Result<> load_functions(const BpfProgramPlan& program) {
    constexpr size_t max_refusals = 8;  // without a success
    size_t loaded = 0, rejected = 0, number = 0;
    const Attachment* first_rejected = nullptr;
    for (const Attachment& attachment : program.attachments) {
      show(progress_, "loading program", ++number, program.attachments.size());
      DS_TRY(LinkedProgram linked, link_program(object_, program.symbol, *this, attachment.cookie));
      DS_TRY(ProgramDebugInfo info, min_info(linked));
      LIBBPF_OPTS(bpf_prog_load_opts, opts);
      int fd = submit(program, attachment, linked, info, opts);
      if (fd >= 0) {
        result_.programs.push_back({.plan = &program, .fd = Fd{fd}, .attachments = {attachment}});
        ++loaded;
        continue;
      }
      if (first_rejected == nullptr) first_rejected = &attachment;
      if (++rejected == max_refusals && loaded == 0) break;
    }
    result_.omitted_functions += rejected;
    if (loaded != 0 || first_rejected == nullptr) return {};
    return load_copy(program, {*first_rejected}, first_rejected->cookie);  // for its error message
  }

  Result<> load_copy(const BpfProgramPlan& program, std::vector<Attachment> attachments, uint64_t cookie) {
    DS_TRY(LinkedProgram linked, link_program(object_, program.symbol, *this, cookie));
    DS_TRY(Fd fd, load_linked(program, attachments.front(), linked));
    result_.programs.push_back({.plan = &program, .fd = std::move(fd), .attachments = std::move(attachments)});
    return {};
  }

  // The first attempt requests no log and passes only the BTF that the kernel requires, which keeps the start fast.
  Result<Fd> load_linked(const BpfProgramPlan& program, const Attachment& attachment, const LinkedProgram& linked) {
    DS_TRY(ProgramDebugInfo info, min_info(linked));
    LIBBPF_OPTS(bpf_prog_load_opts, opts);
    int fd = submit(program, attachment, linked, info, opts);
    if (fd < 0) return fail(refusal(program, attachment, linked, info, -fd));
    if (always_log_) logged_attempt(program, attachment, linked, info);
    return Fd{fd};
  }

  Result<ProgramDebugInfo> min_info(const LinkedProgram& linked) {
    if (!linked.needs_function_types) return ProgramDebugInfo{};
    return function_types_.info(linked);
  }

  int submit(const BpfProgramPlan& program, const Attachment& attachment, const LinkedProgram& linked,
             const ProgramDebugInfo& info, bpf_prog_load_opts opts) {
    opts.prog_btf_fd = static_cast<uint32_t>(info.btf_fd);
    opts.func_info = info.functions.data();
    opts.func_info_cnt = static_cast<uint32_t>(info.functions.size());
    opts.func_info_rec_size = info.functions.empty() ? 0 : sizeof(bpf_func_info);
    opts.line_info = info.lines.data();
    opts.line_info_cnt = static_cast<uint32_t>(info.lines.size());
    opts.line_info_rec_size = info.lines.empty() ? 0 : sizeof(bpf_line_info);
    if (program.may_sleep) opts.prog_flags |= BPF_F_SLEEPABLE;
    if (program.context == BpfContext::Probe)
      opts.expected_attach_type = static_cast<bpf_attach_type>(attach_type_uprobe_multi);
    if (const auto* hook = std::get_if<HookFunction>(&attachment.hook)) bind_to_function(*hook, opts);
    if (const auto* hook = std::get_if<HookIterator>(&attachment.hook)) {
      opts.expected_attach_type = BPF_TRACE_ITER;
      opts.attach_btf_id = hook->type_id;
    }
    if (program.has_typed_context) {
      opts.expected_attach_type = BPF_TRACE_RAW_TP;
      opts.attach_btf_id = tracepoint_type(program);
    }
    return bpf_prog_load(program_type(program), kernel_name(program.symbol).c_str(), "GPL", linked.instructions.data(),
                         linked.instructions.size(), &opts);
  }

  void bind_to_function(const HookFunction& hook, bpf_prog_load_opts& opts) {
    switch (hook.mechanism) {
      case FunctionMechanism::Kprobe: return;
      case FunctionMechanism::Multi: opts.expected_attach_type = BPF_TRACE_KPROBE_MULTI; return;
      case FunctionMechanism::Security: opts.expected_attach_type = BPF_LSM_MAC; break;
      case FunctionMechanism::Trampoline:
        opts.expected_attach_type = hook.is_return ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY;
        break;
    }
    opts.attach_btf_id = hook.type_id;
    if (hook.module != "vmlinux") opts.attach_btf_obj_fd = static_cast<uint32_t>(module_types_.find(hook.module));
  }

  Error refusal(const BpfProgramPlan& program, const Attachment& attachment, const LinkedProgram& linked,
                const ProgramDebugInfo& info, int error_number) {
    std::string hint = explain_verifier_log(logged_attempt(program, attachment, linked, info));
    return Error::from_errno(error_number, "the kernel refused the program of {}",
                             program.name.empty() ? program.symbol : program.name)
        .hint(std::move(hint));
  }

  // The verifier's log, with source lines if the object has them, else with the debug information of the first attempt.
  std::string logged_attempt(const BpfProgramPlan& program, const Attachment& attachment, const LinkedProgram& linked,
                             const ProgramDebugInfo& minimal) {
    std::string log;
    if (const ProgramBtf* btf = debug_btf())
      log = submit_with_log(program, attachment, linked, btf->debug_info(linked));
    // A log without statistics at its end complains about the debug information, not about the program.
    if (log.find("processed ") == std::string::npos) {
      if (std::string plain = submit_with_log(program, attachment, linked, minimal); !plain.empty())
        log = std::move(plain);
    }
    if (always_log_) print_text(fmt::format("BPF: {}:\n{}\n", visible_line(program.name), visible_text(log)));
    return log;
  }

  // BTF id of the type that describes the arguments of the program's tracepoint; 0 if there is none.
  uint32_t tracepoint_type(const BpfProgramPlan& program) {
    const auto* hook = std::get_if<HookRawTracepoint>(&program.attachments.front().hook);
    if (!kernel_types_) kernel_types_.reset(btf__load_vmlinux_btf());
    if (hook == nullptr || !kernel_types_) return 0;
    std::string name = "btf_trace_" + hook->name;
    return static_cast<uint32_t>(
        std::max(0, btf__find_by_name_kind(kernel_types_.get(), name.c_str(), BTF_KIND_TYPEDEF)));
  }

  std::string submit_with_log(const BpfProgramPlan& program, const Attachment& attachment, const LinkedProgram& linked,
                              const ProgramDebugInfo& info) {
    auto size = static_cast<uint32_t>(std::clamp<int64_t>(plan_.options.number(OptionId::Bpflogsize), 4096, 1 << 28));
    std::unique_ptr<char, decltype(&std::free)> log{static_cast<char*>(std::calloc(1, size)), &std::free};
    LIBBPF_OPTS(bpf_prog_load_opts, opts, .log_level = 1, .log_size = size, .log_buf = log.get());
    Fd fd{submit(program, attachment, linked, info, opts)};
    return log ? std::string{log.get(), ::strnlen(log.get(), size)} : std::string{};
  }

  // BTF of the object, loaded into the kernel at the first rejection; nullptr if the kernel does not accept it.
  const ProgramBtf* debug_btf() {
    if (!is_btf_tried_) {
      is_btf_tried_ = true;
      if (auto btf = ProgramBtf::load(object_)) btf_ = std::move(*btf);
    }
    return btf_ ? &*btf_ : nullptr;
  }

  Result<MapReference> map(std::string_view name) override {
    const MapSet& maps = shared_ != nullptr ? *shared_ : result_.maps;
    auto found = maps.find(std::string{name});
    if (found == maps.end())
      return fail(Error::make("the BPF object refers to {}, which is not a map of the plan", name));
    return MapReference{.fd = found->second.fd(), .is_direct = found->second.is_direct()};
  }

  Result<int> data_section(uint32_t index) override {
    if (data_fds_.size() <= index) data_fds_.resize(index + size_t{1}, -1);
    if (data_fds_[index] < 0) {
      const ObjectSection& section = object_.sections()[index];
      if (!object_.relocations(index).empty())
        return fail(Error::make("section {} of the BPF object holds addresses", section.name));
      DS_TRY(BpfMap map, BpfMap::create_data(section.name, section.bytes, section.size, section.is_writable));
      data_fds_[index] = map.fd();
      result_.data_sections.push_back(std::move(map));
    }
    return data_fds_[index];
  }

  Result<int32_t> kernel_function(std::string_view name) override {
    if (!kernel_types_) kernel_types_.reset(btf__load_vmlinux_btf());
    int32_t id =
        kernel_types_ ? btf__find_by_name_kind(kernel_types_.get(), std::string{name}.c_str(), BTF_KIND_FUNC) : -1;
    if (id <= 0) return fail(Error::make("kernel function {} not found", name));
    return id;
  }

  const ProgramPlan& plan_;
  const BpfObjectFile& object_;
  Progress* progress_;
  const MapSet* shared_;  // null: create new maps
  MapSet existing_;       // of the plan, not created here
  bool always_log_;
  LoadedObject result_;
  std::vector<int> data_fds_;  // by section number
  std::unique_ptr<btf, BtfDeleter> kernel_types_;
  FunctionTypes function_types_;
  ModuleTypes module_types_;
  bool is_btf_tried_ = false;
  std::optional<ProgramBtf> btf_;
};

}  // namespace

Result<LoadedObject> load_object(const ProgramPlan& plan, const BpfObject& object, Progress* progress,
                                 const MapSet* shared, MapSet existing) {
  libbpf_set_print(nullptr);  // errors are reported by the messages of this file
  DS_TRY(BpfObjectFile file, BpfObjectFile::parse(object.bytes));
  return Loader{plan, file, progress, shared, std::move(existing)}.load();
}

}  // namespace dscope
