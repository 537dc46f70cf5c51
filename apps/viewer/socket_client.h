// A page that is connected. It gets a frame when no more than two are on their way, so that one
// that is slow gets fewer of them and holds nobody up; texts and what there is it gets all.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <map>

#include "hub.h"

namespace sinew::viewer {

class SocketClient : public std::enable_shared_from_this<SocketClient> {
 public:
  SocketClient(boost::beast::tcp_stream stream, Hub& hub);

  void accept(boost::beast::http::request<boost::beast::http::string_body> request);
  void frame(const std::shared_ptr<const Frame>& frame, const std::map<int, double>& echoes);
  void text(std::string text);
  void close();

 private:
  struct Outgoing {
    std::string text;                // …
    std::optional<Message> message;  // … or this
  };

  void joined();
  void read();
  void take(std::string_view text);
  void handled();
  void pump();
  void write(Outgoing outgoing);
  void gone();

  boost::beast::websocket::stream<boost::beast::tcp_stream> socket_;
  Hub& hub_;
  int number_;
  boost::beast::flat_buffer incoming_;
  int pending_ = 0;  // commands that wait for the runner
  bool reading_ = false;

  std::deque<Outgoing> queue_;
  std::size_t queued_ = 0;  // [bytes]
  Outgoing writing_;
  std::vector<boost::asio::const_buffer> buffers_;
  bool busy_ = false, gone_ = false;

  Known known_;
  std::shared_ptr<const Frame> next_;
  std::optional<double> echo_;
  std::uint64_t sent_ = 0, acknowledged_ = 0;  // frames
};

}  // namespace sinew::viewer
