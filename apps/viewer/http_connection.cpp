#include "http_connection.h"

#include <fmt/format.h>

#include "assets.h"
#include "socket_client.h"

namespace sinew::viewer {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace net = boost::asio;

constexpr auto kPatience = std::chrono::seconds(30);
constexpr std::size_t kLongestHeader = 8 << 10;  // [bytes]

std::string_view type_of(std::string_view path) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".jpg", "image/jpeg"}};
  for (const auto& [ending, type] : kTypes)
    if (path.ends_with(ending)) return type;
  return "application/octet-stream";
}

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

// Of every answer: nothing is kept, guessed, framed or fetched from elsewhere.
void put_headers(auto& response) {
  response.set(http::field::server, "sinew");
  response.set(http::field::cache_control, "no-cache");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("X-Frame-Options", "DENY");
  response.set("Content-Security-Policy",
               "default-src 'self'; style-src 'self' 'unsafe-inline'; "
               "img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'");
}

}  // namespace

HttpConnection::HttpConnection(net::ip::tcp::socket socket, Hub& hub)
    : stream_(std::move(socket)), hub_(hub) {
  ++hub_.connections;
}
HttpConnection::~HttpConnection() { --hub_.connections; }

void HttpConnection::read() {
  parser_.emplace();
  parser_->header_limit(kLongestHeader);
  parser_->body_limit(0);
  stream_.expires_after(kPatience);
  http::async_read(stream_, buffer_, *parser_,
                   [self = shared_from_this()](beast::error_code failure, std::size_t) {
                     if (!failure) {
                       self->request_ = self->parser_->release();
                       return self->answer();
                     }
                     if (failure == http::error::header_limit || failure == http::error::body_limit)
                       self->refuse(http::status::payload_too_large, "the request is too long");
                   });
}

void HttpConnection::answer() {
  if (!hub_.knows_host(view(request_[http::field::host])))
    return refuse(http::status::forbidden,
                  "this server answers to its address and to localhost only");
  if (request_.method() != http::verb::get && request_.method() != http::verb::head)
    return refuse(http::status::method_not_allowed, "only GET is possible");
  std::string_view path = view(request_.target());
  path = path.substr(0, path.find('?'));
  if (path == "/socket") return upgrade();
  if (path == "/session.json") return send(http::status::ok, "application/json", hub_.session);
  if (path == "/gallery.json") return send(http::status::ok, "application/json", hub_.gallery);
  if (path == "/recording.snr" && !hub_.recording.empty()) return send_recording();
  if (hub_.runner && path == "/metrics.json")
    return ask([](Session& session) { return session.metrics_json(); });
  if (hub_.runner && path == "/scene.json")
    return ask([](Session& session) { return session.scene_json(); });
  answer_file(path == "/" ? "/index.html" : path);
}

void HttpConnection::answer_file(std::string_view path) {
  const std::optional<Asset> asset = path.empty() ? std::nullopt : find_asset(path.substr(1));
  if (!asset) return refuse(http::status::not_found, "there is no such file");
  http::response<http::span_body<const char>> response(http::status::ok, request_.version());
  response.set(http::field::content_type,
               beast::string_view(type_of(path).data(), type_of(path).size()));
  response.body() = beast::span<const char>(asset->content.data(), asset->content.size());
  if (request_.method() == http::verb::head) response.body() = {};
  write(std::move(response));
}

void HttpConnection::send_recording() {
  http::response<http::file_body> response(http::status::ok, request_.version());
  beast::error_code failure;
  response.body().open(hub_.recording.c_str(), beast::file_mode::scan, failure);
  if (failure) return refuse(http::status::not_found, "the recording is gone");
  response.set(http::field::content_type, "application/octet-stream");
  stream_.expires_after(std::chrono::minutes(10));
  write(std::move(response));
}

void HttpConnection::ask(std::function<std::string(Session&)> question) {
  stream_.expires_never();
  hub_.runner->post([self = shared_from_this(), question = std::move(question)](Session& session) {
    net::post(self->hub_.context, [self, answer = question(session)]() mutable {
      self->stream_.expires_after(kPatience);
      self->send(http::status::ok, "application/json", std::move(answer));
    });
  });
}

// Browsers tell which page wants to talk. One from elsewhere may not; programs tell nothing.
void HttpConnection::upgrade() {
  if (!beast::websocket::is_upgrade(request_))
    return refuse(http::status::upgrade_required, "this is for WebSockets");
  if (!hub_.runner) return refuse(http::status::not_found, "a recording has no socket");
  const std::string_view origin = view(request_[http::field::origin]);
  const std::string_view host = view(request_[http::field::host]);
  if (!origin.empty() && origin != fmt::format("http://{}", host) &&
      origin != fmt::format("https://{}", host))
    return refuse(http::status::forbidden, "pages of other sites may not connect");
  if (hub_.clients.size() >= kMostClients)
    return refuse(http::status::service_unavailable,
                  "too many pages are connected; close one of them");
  std::make_shared<SocketClient>(std::move(stream_), hub_)->accept(std::move(request_));
}

void HttpConnection::refuse(http::status status, std::string_view why) {
  send(status, "text/plain; charset=utf-8", std::string(why) + "\n");
}

void HttpConnection::send(http::status status, std::string_view type, std::string body) {
  http::response<http::string_body> response(status, request_.version());
  response.set(http::field::content_type, beast::string_view(type.data(), type.size()));
  if (request_.method() != http::verb::head) response.body() = std::move(body);
  write(std::move(response));
}

template <class Response>
void HttpConnection::write(Response made) {
  put_headers(made);
  const auto response = std::make_shared<Response>(std::move(made));
  response->keep_alive(request_.keep_alive() && response->result() == http::status::ok);
  response->prepare_payload();
  http::async_write(stream_, *response,
                    [self = shared_from_this(), response](beast::error_code failure, std::size_t) {
                      if (failure) return;
                      if (response->keep_alive()) return self->read();
                      beast::error_code ignored;
                      self->stream_.socket().shutdown(net::ip::tcp::socket::shutdown_send, ignored);
                    });
}

}  // namespace sinew::viewer
