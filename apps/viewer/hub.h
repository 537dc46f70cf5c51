// What connections share: who is there, and what they may ask for. On the server's one thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <map>
#include <memory>
#include <string>

#include "runner.h"

namespace sinew::viewer {

class SocketClient;

struct Hub {
  boost::asio::io_context context{1};
  std::map<int, std::shared_ptr<SocketClient>> clients;
  int next_client = 1;
  int connections = 0;    // of any kind
  std::string host;       // that is listened on
  std::string session;    // session.json
  std::string gallery;    // gallery.json
  std::string recording;  // a file to play; empty: live
  std::shared_ptr<const Frame> last_frame;
  std::unique_ptr<Runner> runner;  // none: a recording is played by the page itself

  // Whether a browser that came by this name came on purpose: this machine's names, and addresses.
  // A page of another site could give its own name our address.
  bool knows_host(std::string_view host_and_port) const;
};

inline constexpr std::size_t kMostClients = 16;
inline constexpr int kMostConnections = 64;
inline constexpr std::size_t kLongestCommand = 64 << 10;  // [bytes]

}  // namespace sinew::viewer
