// Emitter (private to codegen): the state of lowering one program, and one method per thing that is lowered. Split by
// subject over lower_*.cpp. All integers are i64, sign- or zero-extended from their D type ("canonical"); pointers to
// kernel and user memory are i64 too. Only addresses of memory that the verifier lets us touch are LLVM pointers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codegen/core/bpf_builder.h"
#include "codegen/core/debug_info.h"
#include "codegen/lower/function_state.h"
#include "codegen/lower/lower.h"
#include "contract/record_format.h"
#include "frontend/plan/plan_builder.h"
#include "frontend/plan/plan_layout.h"
#include "frontend/semantics/semantics.h"
#include "frontend/semantics/value_numbering.h"
#include "frontend/semantics/walk.h"

namespace dscope {

// DS_SIZES of codegen/bpf/support.h. All but the characters are multiples of 8.
constexpr uint64_t pack_sizes(uint64_t destination, uint64_t characters, uint64_t first, uint64_t second) {
  return destination / 8 | characters << 15 | first / 8 << 33 | second / 8 << 48;
}

class Emitter {
 public:
  Emitter(const SourceSet& sources, const Semantics& meaning, const CompiledPlan& compiled, const LowerOptions& options,
          IrModule& out);
  void run();

 private:
  // ---- lower_program.cpp: programs, rows, scratch
  void emit_program(size_t index);
  void emit_row_choice(const BpfProgramPlan& program);
  void emit_lists(const ProgramLayout& layout, V list);
  void emit_list_choice(const ProgramLayout& layout, V list, size_t first, size_t end);
  void select_list(const ProgramLayout& layout, size_t list);
  void emit_list(const ProgramLayout& layout, const std::vector<uint32_t>& clauses);
  void emit_clauses(std::span<const uint32_t> clauses, uint32_t expected_activity);
  void leave_unless_active(uint32_t expected_activity);
  void finish_frame();
  V claim_scratch(llvm::BasicBlock* lost);
  // Verifiers before Linux 6.3 take no two ways for the same on which a record was reserved: what ways have in common
  // from there on they follow once for each. So ways should meet before.
  bool tells_records_apart() const { return !plan_.is_cpu_v4; }
  V scratch_at(uint32_t offset);

  // ---- lower_syscall.cpp: which system call it is, its arguments and what it returned
  V saved_registers();
  V syscall_register(uint32_t byte_offset);
  V syscall_number();
  V is_call_of_32_bits();  // i1: numbers and registers are those of 32-bit programs
  V number_for_64_bits(V number);
  V syscall_argument(uint32_t place);
  V call_argument(uint32_t index);
  V i386_register(std::string_view name);
  V i386_argument_or(V value, uint32_t index);
  V i386_value(std::string_view place);
  V syscall_return();
  V is_error(V result);
  V error_number();
  V returned_value();
  V holds(const SyscallCondition& condition);
  V key_of_part(const ProgramLayout& layout, V number, llvm::BasicBlock* skip);
  V table_row(const ProgramLayout& layout, V number, V& list);

  // ---- lower_function.cpp: functions beside the programs
  void emit_clause_function(const std::string& name, V list, const std::function<void(V)>& emit);
  void emit_error_function(BpfContext kind);
  void emit_error_clauses(llvm::Function* function, BpfContext kind);
  bool has_many_clauses() const;
  llvm::Function* shared_function(const std::string& name, llvm::FunctionType* type,
                                  const std::function<V(llvm::Function*)>& emit);
  void in_function(llvm::Function* function, const std::function<void()>& emit);
  void enter_subprogram(llvm::Function* function);
  void finish_subprogram();
  V slot_for(llvm::Function* function);
  void count(size_t counter_offset);  // one more in ds_counters
  void count_here(V counter_offset);
  V own_counters();  // pointer to the ds_counters of this CPU; may be null
  llvm::Function* count_function();
  llvm::Function* fault_function();
  llvm::Function* error_function(BpfContext kind);

  // ---- lower_subject.cpp: the thread a probe is about
  bool has_other_subject() const;
  std::optional<uint32_t> subject_slot() const;
  V current_task();
  V task_number();
  V opaque_to_verifier(V pointer);
  V pid_tgid(const Expr& at);
  V own_pid_tgid();
  V shown_pid_tgid(const Expr& at);
  V uid_gid(const Expr& at);
  V known_execname();
  void read_execname(V to, uint32_t bytes);

  // ---- lower_kept_stack.cpp: stacks of threads that do not run
  bool keeps_stacks() const;
  bool keeps_user_stacks() const;
  bool keeps_kernel_stacks() const;
  void keep_stacks();
  void keep_stack(V words, uint32_t bytes, uint64_t flags);
  void keep_kernel_stack(V words);
  void keep_user_stack(V words);
  V kept_stack(V task, uint64_t flags);
  void with_kept_stack(const std::function<void(V)>& emit);
  void with_kept_user_stack(const std::function<void(V)>& emit);
  void copy_kept_frames(V words, V to, uint32_t bytes, V size);
  V kept_user_stack(V to, uint32_t bytes);
  V kept_kernel_stack(V to, uint32_t bytes);
  V kept_kernel_size();
  void copy_kept_stack(V to);

  // ---- lower_iterator.cpp: programs that are run for each object of a kind
  void find_object(llvm::BasicBlock* otherwise);
  void mark_object();

  // ---- lower_clause.cpp: clauses, statements, faults
  void emit_clause(uint32_t number);
  void emit_predicate(const Expr* predicate);
  // The way the probe of this program is made of another one; null if it is not, and while that way is emitted, in
  // which args[] are those of the other probe.
  const DerivedProbe* derived_probe() const {
    const DerivedProbe* derived = frame_.program != nullptr ? frame_.program->derived : nullptr;
    return derived != nullptr && clause_ != &derived->instance ? derived : nullptr;
  }
  // Emits expressions of that way instead of the clause's own.
  template <typename F>
  auto as_derived(const F& emit) {
    const ClauseInstance* clause = std::exchange(clause_, &derived_probe()->instance);
    SourceRange range = state_.range;
    auto restore = [&] {
      clause_ = clause;
      locate(range);
    };
    if constexpr (std::is_void_v<decltype(emit())>) {
      emit();
      restore();
    } else {
      auto result = emit();
      restore();
      return result;
    }
  }
  void emit_body(const std::vector<Statement*>& body);
  void emit_statement(const Expr& expr);
  void split_long_block();
  void emit_if(const IfStatement& statement);
  void fault_if(V condition, uint32_t code, V value, const Expr& at);
  // The index, after a fault if it is not below `limit` (a constant), in a form whose bound the verifier knows.
  V bounded(V index, uint64_t limit, uint32_t code, const Expr& at);
  // From here on instructions belong to this place of the script (if debug information is wanted).
  void locate(SourceRange range);
  void describe_function(llvm::Function* function, SourceRange range);
  [[nodiscard]] uint32_t fault_site(const Expr& at);
  void fault(uint32_t code, V value, const Expr& at);
  V merged(V value);
  V unknown_zero();
  V merged_flag(V flag) { return state_.is_complex ? b_.is_nonzero(merged(b_.flag(flag))) : flag; }
  // Runs `emit` in a region that may not be executed: what it caches is as_untracked_scalar afterwards.
  template <typename F>
  void conditionally(const F& emit) {
    auto saved = cache_;
    uint32_t creations = state_.storage_creations;
    size_t known = state_.known.added.size();
    emit();
    cache_ = std::move(saved);
    state_.known.forget_from(known);
    // A look-up from before may have found nothing where there is something now.
    if (state_.storage_creations != creations) cache_.erase("maybe_task_storage");
  }

  // ---- lower_expression.cpp, lower_operator.cpp
  V scalar(const Expr& expr);  // canonical i64
  V scalar_as(const Expr& value, TypeId type);
  V condition(const Expr& expr);    // i1
  void evaluate(const Expr& expr);  // for its effects
  void assign_object(const Assign& form, const Expr& at);
  V scalar_of(const Expr&, const IntLiteral&);
  V scalar_of(const Expr&, const StringLiteral&);
  V scalar_of(const Expr&, const Name&);
  V scalar_of(const Expr&, const SymbolRef&);
  V scalar_of(const Expr&, const AggregationRef&);
  V scalar_of(const Expr&, const Index&);
  V scalar_of(const Expr&, const Call&);
  V scalar_of(const Expr&, const Member&);
  V scalar_of(const Expr&, const Unary&);
  V scalar_of(const Expr&, const SizeofExpr&);
  V scalar_of(const Expr&, const SizeofType&);
  V scalar_of(const Expr&, const Offsetof&);
  V scalar_of(const Expr&, const Stringof&);
  V scalar_of(const Expr&, const Cast&);
  V scalar_of(const Expr&, const Xlate&);
  V scalar_of(const Expr&, const Binary&);
  V scalar_of(const Expr&, const Assign&);
  V scalar_of(const Expr&, const Ternary&);
  V scalar_of(const Expr&, const Alternative&);
  V scalar_of(const Expr&, const Comma&);
  V convert(V value, TypeId from, TypeId to);
  V canonical(V value, TypeId type);
  V narrow_bits(V value, uint32_t bits, bool is_signed);
  V arithmetic(BinaryOp op, V lhs, V rhs, TypeId type, const Expr& at);
  V divide(V lhs, V rhs, bool is_signed, bool wants_rest, const Expr& at);
  V quotient(V lhs, V rhs, bool is_signed, bool wants_rest);
  V pointer_step(V count, TypeId pointer);
  V comparison(const Binary& form);  // i1, as the next two
  V compare_numbers(BinaryOp op, V lhs, V rhs, bool is_signed);
  V compare_strings(const Binary& form);
  V is_nothing(const StringValue& value);
  bool is_solaris_mode() const { return meaning_.is_solaris_mode; }
  // What is emitted for `expr`: the value of an inline, the argument of a parameter; else itself.
  const Expr& resolve_alias(const Expr& expr) const;
  // Runs `emit` on what `expr` stands for, with the operand of a translation evaluated first.
  template <typename F>
  auto with_alias_resolved(const Expr& expr, const F& emit) -> decltype(emit(expr)) {
    const ExprInfo& meaning = info(expr);
    if (meaning.operand == nullptr || operands_.contains(meaning.operand)) return emit(*meaning.stands_for);
    operands_[meaning.operand] = scalar(*meaning.operand);
    auto result = emit(*meaning.stands_for);
    operands_.erase(meaning.operand);
    return result;
  }
  // ---- lower_shared.cpp: what is evaluated once, although it is named often
  // Whether that is so for `expr`, an inline or the name of a parameter.
  V shared_value(const Expr& expr);
  std::optional<VariableId> associative(const Expr& expr) const;
  StringValue comparable_string(const Expr& expr);
  std::optional<V> compare_with_literal(const Expr& string, const Expr& literal, bool wants_equal);  // i1
  std::vector<const Expr*> terms_of(const Binary& form) const;
  V logical(const Binary& form);  // i1
  V truth(const Binary& form);    // of a comparison or logical operator: i1
  V number_of_form(const Expr& expr);
  // Runs `emit`, which uses an lvalue, with what is known of its parts.
  template <typename F>
  auto with_parts(LvalueParts& parts, const F& emit) {
    LvalueParts* outer = std::exchange(lvalue_parts_, &parts);
    auto result = emit();
    lvalue_parts_ = outer;
    parts.is_complete = true;
    return result;
  }
  V step(const Expr& expr, const Unary& form);
  TypeId promoted(TypeId lhs, TypeId rhs) const;
  TypeId type_of(const Expr& expr) const { return info(expr).type; }
  const ExprInfo& info(const Expr& expr) const { return meaning_.info(*clause_, expr); }
  bool is_string_value(const Expr& expr) const;

  // ---- lower_memory.cpp: objects, loads, stores
  enum class Access { Read, Write, Address };  // Address: of the object is all that is wanted
  Place place_of(const Expr& expr, Access access = Access::Read);
  // `bytes`: how much will be read there, if not one object of the pointer's type.
  Place place_of_pointer(const Expr& pointer, const Expr& at, Access access = Access::Read, uint64_t bytes = 0);
  V trusted_pointer(const Expr& expr);
  Place element_place(const Expr& expr, const Index& form, Access access);
  V element_offset(const Expr& expr, const Index& form, Space space);
  Place string_byte(const Expr& string_expr, const Expr* index, const Expr& at, Access access);
  Place variable_place(VariableId id, const Expr* index, Access access);
  Place choice_place(const Expr& expr, const Ternary& form);
  Place alias_place(const Expr& expr, const Expr& value, Access access);
  Place translated_place(const TranslatedObject& object);
  void store_member(V object, const TranslatedMember& member);
  bool is_own_memory(const Expr& pointer) const;
  Place own_place(const Expr& pointer, V address, V offset, uint64_t size, const Expr& at, Access access);
  V load_place(const Place& place, TypeId type, const Expr& at);
  V load_bitfield(const Place& base, const MemberPlace& member, const Expr& at);
  void store_bitfield(const Place& base, const MemberPlace& member, V value);
  V read_checked(const Place& place, uint32_t size, bool is_signed, const Expr& at);
  void store_place(const Place& place, V value, TypeId type, const Expr& at);
  void copy_object(V to, const Place& from, uint32_t size, const Expr& at);

  // ---- lower_variable.cpp: D variables and built-ins
  V read_variable(const Variable& variable, const VariablePlace& place, const Expr& expr);
  V variable_address(const VariablePlace& place);  // Globals, Scratch
  V task_storage(bool create);                     // pointer; may be null unless create
  V assign(const Expr& lvalue, V value, const Expr& at);
  V assign_place(const Expr& lvalue, V value, const Expr& at);
  V assign_variable(VariableId id, const Expr* index, V value, const Expr& at);
  V array_key(const Variable& variable, const VariablePlace& place, const std::vector<Expr*>& keys);
  StringValue read_string_variable(VariableId id, const Expr* index);
  void assign_string_variable(VariableId id, const Expr* index, const StringValue& value);
  V string_mark(const Variable& variable, V is_null);
  void delete_variable(VariableId id, const Expr* index);
  void update_array(const VariablePlace& place, V key, V value, const Expr& at);
  V find_task_storage(uint64_t flags);
  V make_task_storage();
  void dynamic_drop_if(V condition);
  void end_clause_if(V condition);
  void end_clause();
  void when(V condition, const std::function<void()>& emit);
  void add_to_dynamic_count(int64_t by);
  void claim_dynamic();
  void note_existence(V existed, V exists);
  void insert_element(const VariablePlace& place, V key, V element);
  void store_element(const VariablePlace& place, V key, V element);
  void delete_element(const VariablePlace& place, V key);
  V created_object(const VariablePlace& place);
  const Expr& target_of(const Expr& use, const Expr*& index) const;
  V builtin(BuiltinVariable variable, const Expr& at);
  V once(const char* key, const std::function<V()>& emit);  // cached in this region
  V once_per_firing(const char* key, const std::function<V()>& emit);
  V cpu_number();
  bool has_tracer_frames() const;
  V kernel_caller();
  V user_caller();
  V kernel_depth();
  V user_depth();
  V frame_count(V result);
  V get_stack(V to, uint32_t bytes, V flags);
  V get_kernel_stack(V to, uint32_t bytes, V flags);
  V get_user_stack(V to, uint32_t bytes);
  V fill_user_stack(V to, uint32_t bytes);
  V user_word(uint32_t index);
  void copy_user_stack(V to, uint32_t most);
  bool has_return_address_on_top() const;
  V return_address();
  bool begins_at_caller() const;
  V tracer_frames(V frames);
  V is_tracer_code(V address);
  V found_in_ranges(V address, std::vector<std::pair<uint64_t, uint64_t>> ranges);
  V trampoline_frames(V frames);
  V frames_to_skip();
  V raw_argument(uint32_t index, const Expr& at);
  V argument_source(const ArgSource& source, const Expr& at);
  V typed_argument(uint32_t index, const Expr& at);
  V user_address(const ArgSource& source);
  Place argument_place(uint32_t index, const Expr& at);
  V function_argument(uint32_t index);
  V function_result();
  V context_at(uint64_t offset);
  V perf_pc(bool is_user);
  V lateness();
  V record_address();
  V probe_id();
  V fired_row();
  V user_register(uint32_t index, const Expr& at);
  V task_member(const std::vector<const char*>& path, const Expr& at);

  // ---- lower_string.cpp
  StringValue string(const Expr& expr);
  StringValue string_anew(const Expr& expr);
  StringValue string_of_form(const Expr& expr);
  StringValue alias_string(const Expr& expr, const Expr& value);
  StringValue string_call(const Expr& expr, const Call& call, Subroutine subroutine);
  StringValue path(const Expr& expr, const Call& call, uint32_t of_mount);
  V made_path(V dentry, V mount);
  StringValue string_from_memory(const Place& place, uint32_t bytes, const Expr& at);
  V read_string(V to, uint32_t bytes, const Place& place, const Expr& at);
  std::optional<Place> outside_string(const Expr& expr);
  StringValue probe_name(BuiltinVariable variable, const Expr& at);
  StringValue name_in_table(BuiltinVariable variable);
  StringValue numbered_provider(const StringValue& provider, const Expr& at);
  StringValue string_literal(std::string_view bytes);
  StringValue string_choice(const Expr& expr, const Ternary& form);
  V store_choice(V to, uint32_t size, const Ternary& form);
  V store_chosen(V to, uint32_t size, const Expr& branch);
  StringValue assign_string_place(const Assign& form, const Expr& expr);
  StringValue required_string(const Expr& expr);  // faults if NULL
  void store_string(V to, uint32_t size, const StringValue& value);
  void cut_text(V to, uint32_t size);
  void store_text(V to, uint32_t size, const StringValue& value);
  bool is_result(const Expr& use) const;
  void string_into(const Expr& expr, V to, uint32_t size);
  void mostly_short_string_into(const Expr& expr, V to, uint32_t size, uint32_t short_size);
  uint32_t string_capacity() const { return round_up8(meaning_.types->strsize() + 1); }
  V string_sizes(uint32_t capacity) const;
  uint32_t bound(const Expr& expr) const { return string_bound(meaning_, *clause_, expr); }

  // ---- lower_text.cpp: subroutines that make text of addresses and numbers, or take it apart
  StringValue text_call(const Expr& expr, const Call& call, Subroutine subroutine);
  StringValue address_text(const Expr& expr, const Call& call, Subroutine subroutine);
  StringValue either_address(const Expr& expr, const Call& call);
  StringValue link_address(const Expr& expr, const Call& call);
  StringValue token(const Expr& expr, const Call& call);
  V base_argument(const Expr& expr, const Call& call);
  V memory_copy(const Expr& pointer, uint32_t bytes, const Expr& at);
  V result_sizes(const Expr& expr, uint32_t first = 0, uint32_t second = 0);

  // ---- lower_call.cpp: subroutines that give numbers or memory
  V subroutine(const Expr& expr, const Call& call, Subroutine subroutine);
  V int_argument(const Expr& expr);

  // ---- lower_user_memory.cpp
  bool may_sleep() const;
  V fetch_user(V to, V size, V address);
  bool may_find_user_memory() const;
  void define_memory_layout();
  std::pair<V, V> kernel_places(V memory, V address);
  template <typename F>
  V if_absent(V result, F again);
  // As the helpers: less than 0 if it cannot be read.
  V read_user(V to, uint32_t room, V count, V address);
  V read_user_text(V to, uint32_t bytes, V count, V address);
  V read_user_word(V slot, uint32_t size, V address);
  V user_word_of(const Call& call);
  StringValue arguments_of(const Expr& expr, const Call& call);

  // ---- lower_scratch.cpp: memory behind pointers that programs compute
  struct NewScratch {
    V pointer = nullptr;  // as D sees it
    V address = nullptr;
    V end = nullptr;  // bytes in use with it
  };
  void begin_scratch();
  uint64_t scratch_base() const;
  uint64_t scratch_limit() const;
  void check_scratch_bounds(V condition, V offset, V pointer, V size, const Expr& at);
  V scratch_address(V pointer, V size, const Expr& at);
  V readable_address(V pointer, V size, const Expr& at);
  V variable_memory(V pointer, uint64_t size, const Expr& at);
  V as_untracked_scalar(V address);
  V address_of(const Expr& object);
  V number_or_address(const Expr& expr);
  NewScratch new_scratch(V size, V taken, const Expr& at);
  V scratch_size(V size, const Expr& at);
  V alloca_call(const Expr& expr, const Call& call);
  V lock_word(const Expr& expr, const Call& call, const char* member, uint32_t size);
  V lock_question(const Expr& expr, const Call& call, Subroutine subroutine);
  V progenyof(const Expr& expr, const Call& call);
  V is_progeny(V task, V pid);
  std::optional<uint64_t> object_member(std::string_view path) const;
  V copyin(const Expr& expr, const Call& call);
  V memref(const Expr& expr, const Call& call);
  StringValue memory_text(const Expr& expr, const Call& call);
  V source_address(const Expr& source);
  void copy_from(const Expr& source, V from, bool is_user, V size, V to, uint64_t room, const Expr& at);
  V copy_to_scratch(const Expr& expr, const Call& call, Subroutine id);
  V copyout(const Expr& expr, const Call& call);
  V copyoutstr(const Expr& expr, const Call& call);

  // ---- lower_record.cpp: actions
  bool can_fill_buffer() const;
  void claim_buffer_space(llvm::BasicBlock* lost);
  void reserve_record(size_t lost_counter = offsetof(ds_counters, record_drops));
  void emit_action(const Expr& expr, const Call& call, Action action);
  void write_field(const Field& field, V base, const Expr& value);
  void write_stack(const Field& field, V base, const Expr& at);
  V symbol_argument(const Call& call);
  void submit_record();
  void discard_record();
  void send_signal(V number);
  void chill(const Expr& time, const Expr& at);
  void emit_exit(const Expr& status, const ActionPlan& plan);

  // ---- lower_print.cpp: print() and tracemem()
  V read_anywhere(V to, uint32_t size, V address, bool is_user);
  V bytes_behind(const Expr& pointer, V address, uint64_t size);
  void trace_memory(const Call& call, const ActionPlan& plan);
  void print_value(const Call& call, const ActionPlan& plan);
  void record_packet(const Expr& expr, const Call& call, const ActionPlan& plan);
  V packet_member(V packet, const char* path, uint32_t size, const Expr& at);
  V start_of_packet(V packet, V data, V protocol, const Expr& at);

  // ---- lower_speculation.cpp
  bool speculates() const;                 // the clause has a speculate()
  bool reserves_when_speculating() const;  // which every firing reaches
  void start_speculating();
  void emit_speculative(const Expr& expr, const Call& call, Action action);
  void speculate(const Call& call);
  void end_speculation(const Expr& expr, const Call& call, bool is_commit);
  void submit_end(V entry, V speculation, bool is_commit);
  V speculation_entry(V index);
  V speculation_value(V entry, V id);
  void drop_unless_it_fits(uint32_t bytes);
  void account_speculation();
  V take_speculation();
  void wake_consumer();

  // ---- lower_aggregation.cpp
  void aggregate(const Expr& expr, const AggregatingStatement& statement);
  void record_update(const Expr& expr, const AggregatingStatement& statement);
  // The value that the statement adds, and how often.
  struct AggregatedValue {
    V value, increment;
  };
  AggregatedValue aggregated_value(const AggregatingStatement& statement);
  void build_key(const std::vector<Field>& fields, uint32_t size, V key, const std::vector<Expr*>& values);
  void build_key(const AggregationPlan& plan, V key, const std::vector<Expr*>& values);
  std::vector<Field> fields_of_key(const AggregationPlan& plan, const std::vector<Expr*>& values);
  uint32_t variant_of(const Expr& key) const;
  void fill_gaps(const std::vector<Field>& fields, uint32_t size, V key);
  void finish_key(const AggregationPlan& plan, V key, uint32_t end);
  void update(const AggregationPlan& plan, const std::string& map, V key, V value, V increment);
  llvm::Function* update_function(const AggregationPlan& plan, const std::string& map);
  void update_element(const AggregationPlan& plan, const std::string& map, V key, V value, V increment);
  void update_words(const AggregationPlan& plan, V words, V value, V increment);
  void update_extreme(const AggregationPlan& plan, V words, V value);
  V key_area(uint32_t size);
  V temporary(uint32_t size);  // scratch memory until the end of the statement

  const SourceSet& sources_;
  const Semantics& meaning_;
  const CompiledPlan& compiled_;
  const ProgramPlan& plan_;
  const Layout& layout_;
  LowerOptions options_;
  IrModule& out_;
  BpfBuilder b_;
  std::unique_ptr<DebugInfo> debug_;

  FunctionState state_;
  Frame& frame_ = state_.frame;
  const ClauseInstance*& clause_ = state_.clause;
  const ClausePlan*& clause_plan_ = state_.clause_plan;
  llvm::BasicBlock*& next_clause_ = state_.next_clause;
  V& record_ = state_.record;
  bool& has_exit_ = state_.has_exit;
  std::map<std::string, V>& cache_ = state_.cache;
  std::map<uint32_t, llvm::AllocaInst*>& locals_ = state_.locals;
  llvm::AllocaInst*& alloca_used_ = state_.alloca_used;
  std::vector<llvm::AllocaInst*>& key_areas_ = state_.key_areas;
  size_t& key_depth_ = state_.key_depth;
  uint32_t comm_offset_ = 0;            // of execname in the scratch slot
  uint32_t first_temporary_ = 0;        // where temporaries begin in the scratch slot
  bool may_end_within_firing_ = false;  // clauses look whether one before them has ended the trace
  bool uses_scratch_ = false;
  uint32_t scratch_slots_ = default_scratch_slots;  // per CPU
  bool stores_bytes_ = false;                       // of strings, or through pointers that may point into them
  uint32_t temporary_end_ = 0;                      // next free byte of the scratch slot
  uint32_t scratch_size_ = 0;                       // the most any frame needs
  uint32_t alloca_area_ = 0;                        // offset of the alloca area in the slot; 0: not used
  LvalueParts* lvalue_parts_ = nullptr;
  // Of all clauses: one may be set aside meanwhile.
  ValueNumbering value_numbers_{meaning_, [this](const Expr& expr) -> const ExprInfo& { return info(expr); }};
  std::vector<std::pair<BpfContext, llvm::Function*>> error_functions_;
  llvm::Function* fault_function_ = nullptr;
  std::map<std::string, size_t> update_functions_;  // numbers, by what they do
  std::map<std::string, llvm::Function*> shared_functions_;
  std::set<const llvm::Function*> slotless_functions_;
  std::map<std::string, V> literals_;
  std::map<const Expr*, V> operands_;  // of the translated members being emitted
};

}  // namespace dscope
