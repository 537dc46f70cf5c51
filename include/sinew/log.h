// Messages that are not errors: a mesh was mended, a body was frozen. They go to standard error
// unless the application takes them.
#pragma once

#include <functional>
#include <string_view>

namespace sinew {

enum class LogLevel { kInfo, kWarning };

using LogSink = std::function<void(LogLevel, std::string_view)>;

// An empty sink restores the default. Not to be called while another thread logs.
void set_log_sink(LogSink sink);
void log_message(LogLevel level, std::string_view message);

}  // namespace sinew
