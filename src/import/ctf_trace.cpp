#include "import/ctf_trace.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

namespace dscope {

namespace {

namespace fs = std::filesystem;

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
  size_t number_of(const bt_event* event) {
    return numbers.try_emplace(bt_stream_borrow_trace_const(bt_event_borrow_stream_const(event)), numbers.size())
        .first->second;
  }

  const CtfVisitor& visitor;
  std::map<const bt_trace*, size_t> numbers = {};
};

void visit(Sink& sink, const bt_message* message) {
  switch (bt_message_get_type(message)) {
    case BT_MESSAGE_TYPE_EVENT: {
      int64_t time = 0;
      const bt_event* event = bt_message_event_borrow_event_const(message);
      const bt_stream_class* stream = bt_event_class_borrow_stream_class_const(bt_event_borrow_class_const(event));
      if (bt_stream_class_borrow_default_clock_class_const(stream) != nullptr)
        bt_clock_snapshot_get_ns_from_origin(bt_message_event_borrow_default_clock_snapshot_const(message), &time);
      sink.visitor.event({.event = event, .trace = sink.number_of(event), .time = time});
      return;
    }
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS: {
      uint64_t count = 0;
      bool is_known = bt_message_discarded_events_get_count(message, &count) == BT_PROPERTY_AVAILABILITY_AVAILABLE;
      sink.visitor.discarded(is_known ? count : 1);
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
      visit(*static_cast<Sink*>(data), messages[i]);
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

// The directories of the traces: `path`, or those below it. Symbolic links are not followed.
Result<std::vector<std::string>> trace_folders(const std::string& path) {
  constexpr int max_depth = 8;  // LTTng: session/ust/uid/0/64-bit
  constexpr size_t max_folders = 256;
  std::error_code problem;
  if (fs::exists(path + "/metadata", problem)) return std::vector{path};
  std::vector<std::string> folders;
  auto entry = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, problem);
  for (; !problem && entry != fs::recursive_directory_iterator{}; entry.increment(problem)) {
    if (entry.depth() >= max_depth) entry.disable_recursion_pending();
    if (entry->path().filename() == "metadata" && entry->is_regular_file(problem))
      folders.push_back(entry->path().parent_path().string());
    if (folders.size() > max_folders) return fail(Error::make("there are more than {} traces below it", max_folders));
  }
  std::ranges::sort(folders);
  // Without any, the error of the library names what is missing.
  return folders.empty() ? std::vector{path} : folders;
}

Result<const bt_component_source*> add_source(bt_graph* graph, const Plugin& plugin, const std::string& path) {
  Value parameters(bt_value_map_create());
  bt_value* inputs = nullptr;
  bt_value_map_insert_empty_array_entry(parameters.get(), "inputs", &inputs);
  bt_value_array_append_string_element(inputs, path.c_str());
  const bt_component_source* source = nullptr;
  auto status =
      bt_graph_add_source_component(graph, bt_plugin_borrow_source_component_class_by_name_const(plugin.get(), "fs"),
                                    path.c_str(), parameters.get(), BT_LOGGING_LEVEL_NONE, &source);
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

Result<> connect_source(bt_graph* graph, const bt_component_source* source, const bt_component_filter* muxer) {
  // The muxer has one free input, and adds another whenever that is connected.
  for (uint64_t i = 0; i < bt_component_source_get_output_port_count(source); ++i) {
    uint64_t last = bt_component_filter_get_input_port_count(muxer) - 1;
    if (bt_graph_connect_ports(graph, bt_component_source_borrow_output_port_by_index_const(source, i),
                               bt_component_filter_borrow_input_port_by_index_const(muxer, last),
                               nullptr) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
      return fail(last_error("cannot read the trace"));
  }
  return {};
}

Result<> connect_sink(bt_graph* graph, const bt_component_filter* muxer, const bt_component_sink* sink) {
  if (bt_graph_connect_ports(graph, bt_component_filter_borrow_output_port_by_index_const(muxer, 0),
                             bt_component_sink_borrow_input_port_by_index_const(sink, 0),
                             nullptr) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
    return fail(last_error("cannot read the trace"));
  return {};
}

}  // namespace

Result<> read_ctf_traces(const std::string& path, const CtfVisitor& visitor) {
  DS_TRY(Plugin reader, find_plugin("ctf"));
  DS_TRY(Plugin utilities, find_plugin("utils"));
  Graph graph(bt_graph_create(0));
  if (!graph) return fail(last_error("cannot read the trace"));
  DS_TRY(const bt_component_filter* muxer, add_muxer(graph.get(), utilities));
  DS_TRY(std::vector<std::string> folders, trace_folders(path));
  for (const std::string& folder : folders) {
    DS_TRY(const bt_component_source* source, add_source(graph.get(), reader, folder));
    DS_TRY_VOID(connect_source(graph.get(), source, muxer));
  }
  Sink data{visitor};
  const bt_component_sink* sink = nullptr;
  if (bt_graph_add_simple_sink_component(graph.get(), "events", nullptr, consume, nullptr, &data, &sink) !=
      BT_GRAPH_ADD_COMPONENT_STATUS_OK)
    return fail(last_error("cannot read the trace"));
  DS_TRY_VOID(connect_sink(graph.get(), muxer, sink));
  if (bt_graph_run(graph.get()) != BT_GRAPH_RUN_STATUS_OK) return fail(last_error("cannot read the whole trace"));
  return {};
}

}  // namespace dscope
