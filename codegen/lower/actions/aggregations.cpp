#include "codegen/lower/actions/aggregations.h"

#include "codegen/lower/actions/fields.h"
#include "codegen/lower/memory/keys.h"
#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/programs/counters.h"
#include "codegen/lower/programs/functions.h"
#include "codegen/lower/value_names.h"
#include "codegen/lower/values/expressions.h"
#include "codegen/lower/values/strings.h"
#include "frontend/semantics/walk.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr size_t max_update_functions = 64;  // of at most 256 functions that a BPF program may have

}  // namespace

// The fields of this statement's key, including the words that hold the variant of a key.
std::vector<Field> Aggregations::fields_of_key(const AggregationPlan& plan, const std::vector<Expr*>& values) {
  std::vector<Field> fields = plan.keys;
  for (size_t i = 0; i < values.size(); ++i) {
    if (plan.keys[i].variants.empty()) continue;
    fields[i] = plan.keys[i].variants[variant_of(*values[i])];
    fields.push_back({.offset = plan.keys[i].offset, .size = 8});
  }
  return fields;
}

uint32_t Aggregations::variant_of(const Expr& key) const {
  return layout_.variant_of_key[state_.clause_plan->number].at(key.id.index);
}

void Aggregations::build_key(const AggregationPlan& plan, V key, const std::vector<Expr*>& values) {
  std::vector<Field> fields = fields_of_key(plan, values);
  keys_.fill_gaps(fields, plan.key_size, key);
  for (size_t i = 0; i < plan.keys.size(); ++i) {
    const Field& field = fields[i];
    if (!plan.keys[i].variants.empty()) b_.store(b_.at(key, plan.keys[i].offset), b_.number(variant_of(*values[i])), 8);
    bool may_be_short = field.kind == FieldKind::String && field.offset < plan.short_key_size &&
                        field.offset + field.size > plan.short_key_size;
    if (!may_be_short) {
      keys_.write(fields, field, key, *values[i]);
      continue;
    }
    V place = b_.at(key, field.offset);
    if (field.offset != 0) name_after(core_, place, *values[i], "key.");
    strings_.write_mostly_short_string(*values[i], place, field.size, plan.short_key_size - field.offset);
  }
}

// Appends the part of the map's key that is not in the script: the CPU, and in shared maps zeros and the aggregation's
// number.
void Aggregations::finish_key(const AggregationPlan& plan, V key, uint32_t end) {
  if (plan.is_cpu_in_key) {
    b_.store(b_.at(key, end), task_.cpu_number(), 8);
    end += 8;
  }
  if (!plan.shares_map) return;
  for (; end < plan.map_key_size - 8; end += 8) b_.store(b_.at(key, end), b_.number(0), 8);
  b_.store(b_.at(key, end), b_.number(plan.number), 8);
}

Aggregations::AggregatedValue Aggregations::aggregated_value(const AggregatingStatement& statement) {
  const Call& call = *statement.call;
  AggregationFunction function = plan_.aggregations[statement.aggregation.index].function;
  size_t increment_position = function == AggregationFunction::Quantize     ? 1
                              : function == AggregationFunction::Lquantize  ? 4
                              : function == AggregationFunction::Llquantize ? 5
                                                                            : call.arguments.size();
  V value = call.arguments.empty() ? nullptr : expressions_.number_or_address(*call.arguments[0]);
  bool has_increment = call.arguments.size() > increment_position;
  return {value, has_increment ? expressions_.number_or_address(*call.arguments[increment_position]) : b_.number(1)};
}

// Updates the words in the record, which start at 0 like those of a new element.
void Aggregations::record_update(const Expr& expr, const AggregatingStatement& statement) {
  const auto& indices = layout_.update_of_node[state_.clause_plan->number];
  auto index = indices.find(expr.id.index);
  DS_CHECK(index != indices.end() && state_.record != nullptr);
  const UpdatePlan& plan = state_.clause_plan->updates[index->second];
  for (size_t i = 0; i < statement.keys.size(); ++i) fields_.write(plan.fields[i], state_.record, *statement.keys[i]);
  auto [value, increment] = aggregated_value(statement);
  V words = b_.pin(b_.at(state_.record, plan.fields.back().offset));
  b_.zero(words, plan.fields.back().size);
  update_words(plan_.aggregations[plan.aggregation], words, value, increment);
  if (plan.ran_offset != 0) b_.store(b_.at(state_.record, plan.ran_offset), b_.number(1), 1);
}

void Aggregations::aggregate(const Expr& expr, const AggregatingStatement& statement) {
  const AggregationPlan& plan = plan_.aggregations[statement.aggregation.index];
  if (plan.is_recorded) return record_update(expr, statement);
  V key = nullptr;
  if (plan.key_size == 0) {
    key = b_.shared_slot(4, "zero_key");
    b_.store(key, plan.is_cpu_in_key ? task_.cpu_number() : b_.number(plan.number), 4);
  } else {
    key = keys_.area(plan.map_key_size);
    keys_.enter();
    build_key(plan, key, statement.keys);
  }
  auto [value, increment] = aggregated_value(statement);
  if (plan.key_size != 0) keys_.leave();
  if (plan.short_map.empty()) {
    if (plan.key_size != 0) finish_key(plan, key, plan.key_size);
    return update(plan, plan.map, key, value, increment);
  }
  // The string is zero-padded: it ends within the short key if the last byte of the short key is zero.
  V is_short = b_.is_zero(b_.load(b_.at(key, plan.short_key_size - 1), 1, false));
  auto* with_short = b_.block("short");
  auto* with_long = b_.block("long");
  auto* after = b_.block("updated");
  b_.ir.CreateCondBr(is_short, with_short, with_long);
  for (auto [block, map, end] : {std::tuple{with_short, &plan.short_map, plan.short_key_size},
                                 std::tuple{with_long, &plan.map, plan.key_size}}) {
    b_.start(block);
    core_.conditionally([&] {
      finish_key(plan, key, end);
      update(plan, *map, key, value, increment);
    });
    b_.ir.CreateBr(after);
  }
  b_.start(after);
}

void Aggregations::update(const AggregationPlan& plan, const std::string& map, V key, V value, V increment) {
  llvm::Function* shared = update_function(plan, map);
  if (shared == nullptr) return update_element(plan, map, key, value, increment);
  b_.ir.CreateCall(shared, {key, value == nullptr ? b_.number(0) : value, increment});
}

// The update as a function (key, value, increment) for all statements with equal updates. Null if the script has few
// clauses, or if there are too many functions.
llvm::Function* Aggregations::update_function(const AggregationPlan& plan, const std::string& map) {
  if (!core_.has_many_clauses()) return nullptr;
  UpdateKind kind{map,
                  plan.function,
                  plan.data_words,
                  plan.has_state_word,
                  plan.has_generation ? plan.generation_offset : 0,
                  overflow_offset(plan),
                  std::to_array(plan.parameters)};
  size_t number = update_functions_.try_emplace(std::move(kind), update_functions_.size()).first->second;
  if (number >= max_update_functions) return nullptr;
  auto* type = llvm::FunctionType::get(b_.void_type, {b_.ptr, b_.i64, b_.i64}, false);
  return functions_.shared_function(fmt::format("ds_aggregate_{}", number), type, [&](llvm::Function* function) -> V {
    update_element(plan, map, function->getArg(0), function->getArg(1), function->getArg(2));
    return nullptr;
  });
}

std::optional<uint32_t> Aggregations::overflow_offset(const AggregationPlan& plan) const {
  return core_.has_map("ds_overflow") ? overflow_.offsets[static_cast<size_t>(&plan - plan_.aggregations.data())]
                                      : std::nullopt;
}

// The value that sums up the updates without an element on this CPU. Branches to `none` if the run does not keep it.
V Aggregations::overflow_element(uint32_t offset, llvm::BasicBlock* none) {
  V is_kept = b_.load_volatile32(b_.at(b_.map("ds_state"), offsetof(ds_state, keeps_overflow)));
  b_.branch_if(b_.ir.CreateICmpEQ(is_kept, b_.number32(0)), none);
  V cpu = b_.shared_slot(4, "cpu_key");
  b_.store(cpu, b_.call(Helper::GetSmpProcessorId, {}), 4);
  V element = b_.lookup("ds_overflow", cpu);
  b_.branch_if(b_.is_zero(b_.to_number(element)), none);
  return b_.at(element, offset);
}

// Inserts an empty element if the key is new, then updates the element in place. Where the map is full, updates the sum
// of the elements without room.
void Aggregations::update_element(const AggregationPlan& plan, const std::string& map, V key, V value, V increment) {
  V known = b_.lookup(map, key);
  auto* known_end = b_.ir.GetInsertBlock();
  auto* absent = b_.block("absent");
  auto* update = b_.block("update");
  auto* after = b_.block("aggregated");
  b_.ir.CreateCondBr(b_.is_zero(b_.to_number(known)), absent, update);
  b_.start(absent);
  V fresh = b_.null();
  if (plan.key_size != 0) {
    V empty = b_.constant_bytes("", plan.map_value_size, "empty");
    b_.call(Helper::MapUpdate, {b_.map(map), key, empty, b_.number(0)});
    fresh = b_.lookup(map, key);
  }
  auto* fresh_end = b_.ir.GetInsertBlock();
  auto* dropped = b_.block("dropped");
  std::optional<uint32_t> offset = overflow_offset(plan);
  auto* full = offset ? b_.block("full") : dropped;
  b_.ir.CreateCondBr(b_.is_zero(b_.to_number(fresh)), full, update);
  V rest = nullptr;
  llvm::BasicBlock* rest_end = nullptr;
  if (offset) {
    b_.start(full);
    rest = overflow_element(*offset, dropped);
    rest_end = b_.ir.GetInsertBlock();
    b_.ir.CreateBr(update);
  }
  b_.start(dropped);
  counters_.count(offsetof(ds_counters, aggregation_drops));
  b_.ir.CreateBr(after);
  b_.start(update);
  auto* element = b_.ir.CreatePHI(b_.ptr, 3);
  element->addIncoming(known, known_end);
  element->addIncoming(fresh, fresh_end);
  if (rest != nullptr) element->addIncoming(rest, rest_end);
  update_words(plan, b_.pin(element), value, increment);
  b_.ir.CreateBr(after);
  b_.start(after);
}

// Two generations use separate slots. The consumer has already read the value that an older generation left in this
// slot.
void Aggregations::update_extreme(const AggregationPlan& plan, V words, V value) {
  V generation = b_.load(b_.at(b_.map("ds_globals"), plan.generation_offset), 8, false);
  V slot = b_.pin(b_.ir.CreateMul(b_.ir.CreateAnd(generation, b_.number(1)), b_.number(plan.slot_size())));
  V extreme = b_.at(words, slot), state = b_.at(extreme, 8);
  V mark = b_.ir.CreateAdd(generation, b_.number(1));
  bool is_min = plan.function == AggregationFunction::Min;
  V start = b_.number(is_min ? 0x7fffffffffffffffULL : 0x8000000000000000ULL);
  V is_current = b_.ir.CreateICmpEQ(b_.load(state, 8, false), mark);
  V before = b_.ir.CreateSelect(is_current, b_.load(extreme, 8, false), start);
  V is_better = is_min ? b_.ir.CreateICmpSLT(value, before) : b_.ir.CreateICmpSGT(value, before);
  b_.store(extreme, b_.ir.CreateSelect(is_better, value, before), 8);
  b_.store(state, mark, 8);
}

void Aggregations::update_words(const AggregationPlan& plan, V words, V value, V increment) {
  auto word = [&](uint32_t i) { return b_.at(words, i * 8); };
  auto add = [&](V at, V amount) { b_.store(at, b_.ir.CreateAdd(b_.load(at, 8, false), amount), 8); };
  auto add_bucket = [&](V bucket) {
    V bounded = b_.ir.CreateSelect(b_.ir.CreateICmpUGE(bucket, b_.number(plan.data_words)), b_.number(0), bucket);
    add(b_.at(words, b_.ir.CreateShl(bounded, b_.number(3))), increment);
  };
  auto parameter = [&](int i) { return b_.number(static_cast<uint64_t>(plan.parameters[i])); };
  if (plan.has_generation) return update_extreme(plan, words, value);
  V state = word(plan.data_words);
  switch (plan.function) {
    case AggregationFunction::Count: add(word(0), b_.number(1)); break;
    case AggregationFunction::Sum: add(word(0), value); break;
    case AggregationFunction::Avg:
      add(word(0), b_.number(1));
      add(word(1), value);
      break;
    case AggregationFunction::Stddev: b_.call_support("ds_stddev_add", b_.void_type, {words, value}); break;
    case AggregationFunction::Quantize: add_bucket(b_.call_support("ds_quantize_bucket", b_.i64, {value})); break;
    case AggregationFunction::Percentile:
      add_bucket(b_.call_support("ds_percentile_bucket", b_.i64, {value, parameter(0)}));
      break;
    case AggregationFunction::Lquantize:
      add_bucket(b_.call_support("ds_lquantize_bucket", b_.i64, {value, parameter(0), parameter(1), parameter(2)}));
      break;
    case AggregationFunction::Llquantize:
      add_bucket(b_.call_support("ds_llquantize_bucket", b_.i64,
                                 {value, parameter(0), parameter(1), parameter(2), parameter(3)}));
      break;
    case AggregationFunction::Min:
    case AggregationFunction::Max: break;
  }
  if (plan.has_state_word) b_.store(state, b_.number(1), 8);
}

}  // namespace dscope
