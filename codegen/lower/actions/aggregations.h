// Lowers aggregating statements: builds the key, looks up the element of this CPU, and updates its words.
#pragma once

#include "codegen/lower/lowerer.h"
#include "contract/buffers/service_maps.h"
#include "frontend/semantics/walk.h"

namespace dscope {

class Counters;
class Expressions;
class Fields;
class Functions;
class Keys;
class Strings;
class TaskContext;

class Aggregations : Lowerer {
 public:
  Aggregations(Lowering& core, Counters& counters, Functions& functions, TaskContext& task, Expressions& expressions,
               Strings& strings, Keys& keys, Fields& fields)
      : Lowerer(core),
        counters_(counters),
        functions_(functions),
        task_(task),
        expressions_(expressions),
        strings_(strings),
        keys_(keys),
        fields_(fields),
        overflow_(overflow_layout(core.plan)) {}

  void aggregate(const Expr& expr, const AggregatingStatement& statement);

 private:
  // The value that the statement adds, and its increment.
  struct AggregatedValue {
    V value, increment;
  };
  // The key of an update function: statements whose updates are equal share the function.
  using UpdateKind = std::tuple<std::string, AggregationFunction, uint32_t, bool, uint64_t, std::optional<uint32_t>,
                                std::array<int64_t, 4>>;
  AggregatedValue aggregated_value(const AggregatingStatement& statement);
  void record_update(const Expr& expr, const AggregatingStatement& statement);
  std::vector<Field> fields_of_key(const AggregationPlan& plan, const std::vector<Expr*>& values);
  uint32_t variant_of(const Expr& key) const;
  void build_key(const AggregationPlan& plan, V key, const std::vector<Expr*>& values);
  void finish_key(const AggregationPlan& plan, V key, uint32_t end);
  void update(const AggregationPlan& plan, const std::string& map, V key, V value, V increment);
  llvm::Function* update_function(const AggregationPlan& plan, const std::string& map);
  void update_element(const AggregationPlan& plan, const std::string& map, V key, V value, V increment);
  std::optional<uint32_t> overflow_offset(const AggregationPlan& plan) const;
  V overflow_element(uint32_t offset, llvm::BasicBlock* none);
  void update_words(const AggregationPlan& plan, V words, V value, V increment);
  void update_extreme(const AggregationPlan& plan, V words, V value);

  Counters& counters_;
  Functions& functions_;
  TaskContext& task_;
  Expressions& expressions_;
  Strings& strings_;
  Keys& keys_;
  Fields& fields_;
  OverflowLayout overflow_;
  std::map<UpdateKind, size_t> update_functions_;  // numbers of the functions
};

}  // namespace dscope
