#include "import/ctf_trace.h"

#include <memory>

namespace dscope {

namespace {

template <auto release>
struct Release {
  template <typename T>
  void operator()(const T* object) const {
    release(object);
  }
};
using Plugin = std::unique_ptr<const bt_plugin, Release<bt_plugin_put_ref>>;
using Value = std::unique_ptr<bt_value, Release<bt_value_put_ref>>;
using Graph = std::unique_ptr<bt_graph, Release<bt_graph_put_ref>>;

// The sentence of the first cause, which is the innermost one.
Error last_error(const char* what) {
  std::string text(what);
  if (const bt_error* error = bt_current_thread_take_error()) {
    if (bt_error_get_cause_count(error) > 0)
      text += std::string(": ") + bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0));
    bt_error_release(error);
  }
  return Error(text.substr(0, text.find('\n')));
}

struct Sink {
  const CtfVisitor& visitor;
};

void visit(const CtfVisitor& visitor, const bt_message* message) {
  switch (bt_message_get_type(message)) {
    case BT_MESSAGE_TYPE_EVENT: {
      int64_t time = 0;
      const bt_event* event = bt_message_event_borrow_event_const(message);
      const bt_stream_class* stream = bt_event_class_borrow_stream_class_const(bt_event_borrow_class_const(event));
      if (bt_stream_class_borrow_default_clock_class_const(stream) != nullptr)
        bt_clock_snapshot_get_ns_from_origin(bt_message_event_borrow_default_clock_snapshot_const(message), &time);
      visitor.event(event, time);
      return;
    }
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS: {
      uint64_t count = 0;
      bool is_known = bt_message_discarded_events_get_count(message, &count) == BT_PROPERTY_AVAILABILITY_AVAILABLE;
      visitor.discarded(is_known ? count : 1);
      return;
    }
    default: return;
  }
}

bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator* iterator, void* data) {
  bt_message_array_const messages = nullptr;
  uint64_t count = 0;
  bt_message_iterator_next_status status = bt_message_iterator_next(iterator, &messages, &count);
  if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
    for (uint64_t i = 0; i < count; ++i) {
      visit(static_cast<Sink*>(data)->visitor, messages[i]);
      bt_message_put_ref(messages[i]);
    }
  return static_cast<bt_graph_simple_sink_component_consume_func_status>(status);
}

Result<Plugin> find_plugin(const char* name) {
  const bt_plugin* plugin = nullptr;
  if (bt_plugin_find(name, BT_FALSE, BT_FALSE, BT_TRUE, BT_FALSE, BT_FALSE, &plugin) != BT_PLUGIN_FIND_STATUS_OK)
    return fail(Error::make("libbabeltrace2 has no plugin `{}`", name).hint("install babeltrace2 or its plugins"));
  return Plugin(plugin);
}

Result<const bt_component_source*> add_source(bt_graph* graph, const Plugin& plugin, const std::string& path) {
  Value parameters(bt_value_map_create());
  bt_value* inputs = nullptr;
  bt_value_map_insert_empty_array_entry(parameters.get(), "inputs", &inputs);
  bt_value_array_append_string_element(inputs, path.c_str());
  const bt_component_source* source = nullptr;
  auto status =
      bt_graph_add_source_component(graph, bt_plugin_borrow_source_component_class_by_name_const(plugin.get(), "fs"),
                                    "trace", parameters.get(), BT_LOGGING_LEVEL_NONE, &source);
  if (status != BT_GRAPH_ADD_COMPONENT_STATUS_OK) return fail(last_error("it is no CTF trace"));
  return source;
}

Result<const bt_component_filter*> add_muxer(bt_graph* graph, const Plugin& plugin) {
  const bt_component_filter* muxer = nullptr;
  auto status =
      bt_graph_add_filter_component(graph, bt_plugin_borrow_filter_component_class_by_name_const(plugin.get(), "muxer"),
                                    "muxer", nullptr, BT_LOGGING_LEVEL_NONE, &muxer);
  if (status != BT_GRAPH_ADD_COMPONENT_STATUS_OK) return fail(last_error("cannot order the events of the trace"));
  return muxer;
}

Result<> connect(bt_graph* graph, const bt_component_source* source, const bt_component_filter* muxer,
                 const bt_component_sink* sink) {
  // The muxer has one free input, and adds another whenever that is connected.
  for (uint64_t i = 0; i < bt_component_source_get_output_port_count(source); ++i) {
    uint64_t last = bt_component_filter_get_input_port_count(muxer) - 1;
    if (bt_graph_connect_ports(graph, bt_component_source_borrow_output_port_by_index_const(source, i),
                               bt_component_filter_borrow_input_port_by_index_const(muxer, last),
                               nullptr) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
      return fail(last_error("cannot read the trace"));
  }
  if (bt_graph_connect_ports(graph, bt_component_filter_borrow_output_port_by_index_const(muxer, 0),
                             bt_component_sink_borrow_input_port_by_index_const(sink, 0),
                             nullptr) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
    return fail(last_error("cannot read the trace"));
  return {};
}

}  // namespace

Result<> read_ctf_trace(const std::string& path, const CtfVisitor& visitor) {
  DS_TRY(Plugin reader, find_plugin("ctf"));
  DS_TRY(Plugin utilities, find_plugin("utils"));
  Graph graph(bt_graph_create(0));
  if (!graph) return fail(last_error("cannot read the trace"));
  DS_TRY(const bt_component_source* source, add_source(graph.get(), reader, path));
  DS_TRY(const bt_component_filter* muxer, add_muxer(graph.get(), utilities));
  Sink data{visitor};
  const bt_component_sink* sink = nullptr;
  if (bt_graph_add_simple_sink_component(graph.get(), "events", nullptr, consume, nullptr, &data, &sink) !=
      BT_GRAPH_ADD_COMPONENT_STATUS_OK)
    return fail(last_error("cannot read the trace"));
  DS_TRY_VOID(connect(graph.get(), source, muxer, sink));
  if (bt_graph_run(graph.get()) != BT_GRAPH_RUN_STATUS_OK) return fail(last_error("cannot read the whole trace"));
  return {};
}

}  // namespace dscope
