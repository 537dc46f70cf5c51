#include <sinew/log.h>

#include <cstdio>

namespace sinew {
namespace {

LogSink& sink() {
  static LogSink instance;
  return instance;
}

}  // namespace

void set_log_sink(LogSink new_sink) { sink() = std::move(new_sink); }

void log_message(LogLevel level, std::string_view message) {
  if (sink()) return sink()(level, message);
  const char* prefix = level == LogLevel::kWarning ? "warning: " : "";
  std::fprintf(stderr, "%s%.*s\n", prefix, static_cast<int>(message.size()), message.data());
}

}  // namespace sinew
