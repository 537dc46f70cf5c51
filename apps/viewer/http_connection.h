// A connection of a browser: answers what is asked of it, one after the other, or becomes a socket.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <optional>

#include "hub.h"

namespace sinew::viewer {

class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(boost::asio::ip::tcp::socket socket, Hub& hub);
  ~HttpConnection();
  void read();

 private:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;

  void answer();
  void answer_file(std::string_view path);
  void upgrade();
  void send(boost::beast::http::status status, std::string_view type, std::string body);
  void send_recording();
  void refuse(boost::beast::http::status status, std::string_view why);
  // Asks the session for a text, which comes when it has the time.
  void ask(std::function<std::string(Session&)> question);
  template <class Response>
  void write(Response response);

  boost::beast::tcp_stream stream_;
  Hub& hub_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  Request request_;
};

}  // namespace sinew::viewer
