#include "socket_client.h"

#include <fmt/format.h>
#include <sinew/config.h>
#include <sinew/error.h>

#include "io/scene_json.h"

namespace sinew::viewer {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
namespace net = boost::asio;

constexpr std::uint64_t kOnTheirWay = 2;             // frames
constexpr int kMostPending = 64;                     // commands, before no more are read
constexpr std::size_t kMostQueued = 32u << 20;       // [bytes] of texts; who is slower is cut off
constexpr auto kSilence = std::chrono::seconds(20);  // after which a client is asked if it is there

}  // namespace

SocketClient::SocketClient(beast::tcp_stream stream, Hub& hub)
    : socket_(std::move(stream)), hub_(hub), number_(hub.next_client++) {}

void SocketClient::accept(http::request<http::string_body> request) {
  beast::get_lowest_layer(socket_).expires_never();
  websocket::stream_base::timeout timeout =
      websocket::stream_base::timeout::suggested(beast::role_type::server);
  timeout.idle_timeout = kSilence;
  timeout.keep_alive_pings = true;
  socket_.set_option(timeout);
  socket_.read_message_max(kLongestCommand);
  socket_.auto_fragment(false);
  socket_.write_buffer_bytes(1 << 16);
  hub_.clients[number_] = shared_from_this();
  socket_.async_accept(request, [self = shared_from_this()](beast::error_code failure) {
    if (failure) return self->gone();
    self->joined();
  });
}

void SocketClient::joined() {
  beast::error_code ignored;
  beast::get_lowest_layer(socket_).socket().set_option(net::ip::tcp::no_delay(true), ignored);
  text(Json{{"type", "hello"},
            {"version", 1},
            {"client", number_},
            {"program", std::string("sinew ") + SINEW_VERSION}}
           .dump());
  hub_.runner->join(number_);
  next_ = hub_.last_frame;
  pump();
  read();
}

void SocketClient::read() {
  if (reading_ || gone_ || pending_ >= kMostPending) return;
  reading_ = true;
  socket_.async_read(
      incoming_, [self = shared_from_this()](beast::error_code failure, std::size_t) {
        self->reading_ = false;
        if (failure) return self->gone();
        const auto data = self->incoming_.data();
        const std::string text(static_cast<const char*>(data.data()), data.size());
        self->incoming_.consume(self->incoming_.size());
        if (self->socket_.got_text())
          self->take(text);
        else
          self->text(R"({"type": "error", "message": "commands are texts, not binary messages"})");
        self->read();
      });
}

// Acknowledgements stay here; the rest is for the session.
void SocketClient::take(std::string_view message) {
  try {
    Command command(number_, message);
    if (command.type() == "ack") {
      const auto frame = std::uint64_t(command.integer("frame", 0, std::int64_t(1) << 53));
      if (frame <= sent_) acknowledged_ = std::max(acknowledged_, frame);
      return pump();
    }
    ++pending_;
    hub_.runner->post([self = shared_from_this(), command = std::move(command)](Session& session) {
      session.handle(command);
      net::post(self->hub_.context, [self] { self->handled(); });
    });
  } catch (const std::exception& error) {
    text(Json{{"type", "error"}, {"message", one_line(error.what())}}.dump(
        -1, ' ', false, Json::error_handler_t::replace));
  }
}

void SocketClient::handled() {
  --pending_;
  read();
}

void SocketClient::frame(const std::shared_ptr<const Frame>& frame,
                         const std::map<int, double>& echoes) {
  next_ = frame;
  if (const auto it = echoes.find(number_); it != echoes.end()) echo_ = it->second;
  pump();
}

void SocketClient::text(std::string text) {
  queued_ += text.size();
  if (queued_ > kMostQueued) return close();
  queue_.push_back({std::move(text), std::nullopt});
  pump();
}

void SocketClient::close() {
  beast::error_code ignored;
  beast::get_lowest_layer(socket_).socket().close(ignored);
}

void SocketClient::pump() {
  if (busy_ || gone_ || !socket_.is_open()) return;
  if (!queue_.empty()) {
    Outgoing first = std::move(queue_.front());
    queue_.pop_front();
    queued_ -= first.text.size();
    return write(std::move(first));
  }
  if (!next_ || sent_ - acknowledged_ >= kOnTheirWay) return;
  if (std::optional<Message> scene = scene_message(next_->scene, known_))
    return write({{}, std::move(scene)});
  Message message = frame_message(*next_, known_, ++sent_, echo_);
  next_.reset();
  write({{}, std::move(message)});
}

void SocketClient::write(Outgoing outgoing) {
  busy_ = true;
  writing_ = std::move(outgoing);
  buffers_.clear();
  if (const std::optional<Message>& m = writing_.message) {
    buffers_.push_back(net::buffer(m->head()));
    for (const Block& block : m->blocks())
      buffers_.push_back(net::buffer(block->data(), block->size()));
  } else {
    buffers_.push_back(net::buffer(writing_.text));
  }
  socket_.binary(writing_.message.has_value());
  socket_.async_write(buffers_,
                      [self = shared_from_this()](beast::error_code failure, std::size_t) {
                        self->busy_ = false;
                        if (failure) return self->gone();
                        self->pump();
                      });
}

void SocketClient::gone() {
  if (std::exchange(gone_, true)) return;
  close();
  if (hub_.clients.erase(number_) > 0 && hub_.runner) hub_.runner->leave(number_);
}

}  // namespace sinew::viewer
