// Creates the consumer for the output format that the options choose.
#include "runtime/output/consumer.h"

#include "runtime/format/output_format.h"
#include "runtime/output/json_consumer.h"
#include "runtime/output/text_consumer.h"

namespace dscope {

std::unique_ptr<Consumer> Consumer::create(const ProgramPlan& plan, ConsumerSettings settings,
                                           AggregationSource& source, Symbolizer& symbols, OutputStream& out,
                                           OutputStream& messages) {
  if (is_json(output_format(plan.options)))
    return std::make_unique<JsonConsumer>(plan, std::move(settings), source, symbols, out, messages);
  return std::make_unique<TextConsumer>(plan, std::move(settings), source, symbols, out, messages);
}

}  // namespace dscope
