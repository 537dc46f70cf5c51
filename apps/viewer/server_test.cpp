// The server as the outside sees it: through real sockets, on loopback.
#include "server.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include <array>
#include <atomic>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "viewer_testing.h"

namespace sinew::viewer {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace net = boost::asio;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;
using Clock = std::chrono::steady_clock;

class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    Session session(Gallery(folder.path()), 1);
    session.open(folder.scene());
    server.emplace(ServerSettings{.port = 0}, std::move(session), Gallery(folder.path()));
    const std::string url = server->url();
    port = url.substr(url.rfind(':') + 1);
    port.pop_back();
    thread = std::thread([this] { server->run([this] { return stop.load(); }); });
  }
  ~ServerTest() override {
    stop = true;
    thread.join();
  }

  std::string host() const { return "127.0.0.1:" + port; }
  tcp::socket connect() {
    tcp::socket socket(context);
    socket.connect({net::ip::make_address("127.0.0.1"), std::uint16_t(std::stoi(port))});
    return socket;
  }
  http::response<http::string_body> get(const std::string& target, const std::string& named = {},
                                        http::verb verb = http::verb::get) {
    beast::tcp_stream stream(connect());
    stream.expires_after(std::chrono::seconds(30));
    http::request<http::empty_body> request(verb, target, 11);
    request.set(http::field::host, named.empty() ? host() : named);
    http::write(stream, request);
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.skip(verb == http::verb::head);
    parser.body_limit(64 << 20);
    http::read(stream, buffer, parser);
    return parser.release();
  }

  SceneFolder folder;
  std::optional<Server> server;
  std::string port;
  std::atomic<bool> stop = false;
  std::thread thread;
  net::io_context context;
};

// A page without a screen.
class Page {
 public:
  Page(tcp::socket socket, const std::string& host, const std::string& origin = {})
      : socket_(std::move(socket)) {
    socket_.set_option(websocket::stream_base::decorator([&](websocket::request_type& request) {
      if (!origin.empty()) request.set(http::field::origin, origin);
    }));
    socket_.handshake(host, "/socket");
  }
  void say(const std::string& text) { socket_.write(net::buffer(text)); }
  // The next message: its kind (SCEN, FRAM, TEXT), and its header.
  std::pair<std::string, Json> hear() {
    beast::flat_buffer buffer;
    socket_.read(buffer);
    const std::string data = beast::buffers_to_string(buffer.data());
    bytes += data.size();
    if (socket_.got_text()) return {"TEXT", Json::parse(data)};
    std::uint32_t length = 0;
    std::memcpy(&length, data.data() + 4, 4);
    EXPECT_EQ(length % 4, 0u);
    EXPECT_EQ(data.size() % 4, 0u);
    return {data.substr(0, 4), Json::parse(data.substr(8, length))};
  }
  // Up to a frame, which is acknowledged.
  Json frame() {
    for (;;) {
      const auto [kind, header] = hear();
      if (kind == "TEXT" && header["type"] == "error") errors.push_back(header["message"]);
      if (kind != "FRAM") continue;
      say(fmt::format(R"({{"type": "ack", "frame": {}}})", header["frame"].get<int>()));
      return header;
    }
  }
  websocket::stream<beast::tcp_stream>& socket() { return socket_; }

  std::size_t bytes = 0;
  std::vector<std::string> errors;

 private:
  websocket::stream<beast::tcp_stream> socket_;
};

TEST_F(ServerTest, ServesThePageAndNothingElse) {
  EXPECT_EQ(get("/").result_int(), 200u);
  EXPECT_NE(get("/").body().find("viewer.js"), std::string::npos);
  EXPECT_GT(get("/viewer.js").body().size(), 100000u);
  EXPECT_EQ(get("/session.json").body(), R"({"mode": "live"})");
  EXPECT_EQ(Json::parse(get("/gallery.json").body())["scenes"][0]["title"], "Jelly and crate");
  EXPECT_EQ(Json::parse(get("/metrics.json").body())["finite"], true);
  EXPECT_EQ(Json::parse(get("/scene.json").body())["name"], "Jelly and crate");
  for (const char* path :
       {"/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/scene",
        "/index.html/../server.cpp", "/recording.snr", "/gallery/", "*"})
    EXPECT_EQ(get(path).result_int(), 404u) << path;
  EXPECT_EQ(get("/", {}, http::verb::post).result_int(), 405u);
  EXPECT_EQ(get("/", {}, http::verb::head).result_int(), 200u);
}

TEST_F(ServerTest, AnswersToItsOwnNamesOnly) {
  EXPECT_EQ(get("/", "localhost:" + port).result_int(), 200u);
  EXPECT_EQ(get("/", "[::1]:" + port).result_int(), 200u);
  EXPECT_EQ(get("/", "evil.example:" + port).result_int(), 403u);
  EXPECT_EQ(get("/metrics.json", "127.0.0.1.evil.example").result_int(), 403u);
}

TEST_F(ServerTest, PagesOfOtherSitesMayNotConnect) {
  EXPECT_THROW(Page(connect(), host(), "http://evil.example"), boost::system::system_error);
  EXPECT_THROW(Page(connect(), host(), "null"), boost::system::system_error);
  EXPECT_THROW(Page(connect(), host(), "http://127.0.0.1:1"), boost::system::system_error);
  EXPECT_NO_THROW(Page(connect(), host(), "http://" + host()));
  EXPECT_NO_THROW(Page(connect(), host()));
}

TEST_F(ServerTest, StreamsAMovingWorldAndObeys) {
  Page page(connect(), host());
  EXPECT_EQ(page.hear().second["type"], "hello");
  const Json first = page.frame();
  Json later = page.frame();
  for (int i = 0; i < 20; ++i) later = page.frame();
  EXPECT_GT(later["time"].get<double>(), first["time"].get<double>());
  EXPECT_FALSE(later.contains("rigid"));  // the crate rests
  page.say(R"({"type": "pause", "seq": 7})");
  page.say(R"({"type": "step", "seq": 8})");
  while (later.value("echo", 0) < 8) later = page.frame();
  SUCCEED();
}

TEST_F(ServerTest, WhoDoesNotAcknowledgeGetsTwoFramesAndHoldsNobodyUp) {
  Page slow(connect(), host()), page(connect(), host());
  for (int i = 0; i < 60; ++i) page.frame();
  int frames = 0;
  slow.say(R"({"type": "show", "field": null})");
  for (int texts = 0; texts < 3;) {
    const auto [kind, header] = slow.hear();
    frames += kind == "FRAM";
    texts += kind == "TEXT";
  }
  EXPECT_LE(frames, 2);
}

TEST_F(ServerTest, SurvivesAPageThatVanishes) {
  for (int i = 0; i < 20; ++i) {
    Page page(connect(), host());
    page.frame();
    page.say(R"({"type": "grab", "body": 2, "point": [0, 0, 0]})");
    beast::get_lowest_layer(page.socket()).socket().close();
  }
  Page page(connect(), host());
  EXPECT_NO_THROW(page.frame());
}

TEST_F(ServerTest, BoundsMessagesAndClients) {
  {
    Page page(connect(), host());
    page.say(std::string((64u << 10) + 1, ' '));
    EXPECT_THROW(for (int i = 0; i < 1000; ++i) page.frame(), boost::system::system_error);
  }
  std::vector<std::unique_ptr<Page>> pages;
  EXPECT_THROW(
      for (int i = 0; i < 40; ++i) pages.push_back(std::make_unique<Page>(connect(), host())),
      boost::system::system_error);
  EXPECT_GE(pages.size(), 15u);
  pages.clear();
  for (int tries = 0;; ++tries) {  // until it has noticed that they are gone
    try {
      Page(connect(), host()).frame();
      break;
    } catch (const boost::system::system_error&) {
      ASSERT_LT(tries, 100);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
}

TEST_F(ServerTest, APortInUseIsToldPlainly) {
  try {
    const Server second({.port = std::stoi(port)}, Session({}, 1), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("is in use"), std::string::npos) << error.what();
  }
  EXPECT_NO_THROW(Server({.port = std::stoi(port), .any_port = true}, Session({}, 1), {}));
  EXPECT_THROW(Server({.host = "nowhere", .port = 0}, Session({}, 1), {}), Error);
}

// Commands as a page might send them, broken in all ways that came to mind.
class Fuzzer {
 public:
  std::string next() {
    static const char* const kSeeds[] = {
        R"({"type": "grab", "body": 3, "stream": 1, "triangle": 5, "weights": [0.2, 0.3, 0.5]})",
        R"({"type": "grab", "body": 2, "point": [0.1, 0.2, 0.1]})",
        R"({"type": "move", "to": [1, 2, 3]})",
        R"({"type": "release"})",
        R"({"type": "pin", "body": 2, "point": [0, 0, 0]})",
        R"({"type": "pin", "body": 3, "stream": 1, "triangle": 9, "weights": [1, 0, 0]})",
        R"({"type": "set", "pointer": "/bodies/2/material/young", "value": 1e5})",
        R"({"type": "set", "pointer": "/bodies/2/solver/type", "value": "quasi_newton"})",
        R"({"type": "set", "pointer": "/world/substeps", "value": 3})",
        R"({"type": "drop", "what": "ball", "at": [0, 2, 0], "size": 0.2})",
        R"({"type": "shoot", "origin": [0, 1, 3], "direction": [0, 0, -1], "speed": 10, "radius": 0.1})",
        R"({"type": "remove", "body": 4})",
        R"({"type": "scrub", "step": 10})",
        R"({"type": "step", "count": 2})",
        R"({"type": "save", "slot": 1})",
        R"({"type": "load", "slot": 1})",
        R"({"type": "reset"})",
        R"({"type": "play"})",
        R"({"type": "pause"})",
        R"({"type": "speed", "factor": 2})",
        R"({"type": "open", "scene": "scene"})",
        R"({"type": "show", "field": "stress", "contacts": true, "joints": true, "bounds": true, "cage": true})",
        R"({"type": "select", "body": 3})",
        R"({"type": "control"})",
        R"({"type": "ack", "frame": 1})"};
    std::string text = kSeeds[random_() % std::size(kSeeds)];
    switch (random_() % 6) {
      case 0:
        break;
      case 1:  // a byte of anything
        for (unsigned i = random_() % 4 + 1; i > 0; --i)
          text[random_() % text.size()] = static_cast<char>(random_());
        break;
      case 2:  // cut off
        text.resize(random_() % text.size());
        break;
      case 3:  // a number that is none
        replace_number(text);
        break;
      case 4:  // nested
        text = std::string(random_() % 3000, '[') + text;
        break;
      default:  // noise
        text.resize(random_() % 300);
        for (char& c : text) c = static_cast<char>(random_());
    }
    return text;
  }
  bool binary() { return random_() % 20 == 0; }

 private:
  void replace_number(std::string& text) {
    static const char* const kNumbers[] = {
        "1e308", "-1", "1e-320", "null", "\"x\"", "1e400", "99999999999999999999",
        "{}",    "[]", "true",   "-0.0"};
    const std::size_t at = text.find_first_of("0123456789", random_() % text.size());
    if (at == std::string::npos) return;
    const std::size_t end = text.find_first_not_of("0123456789.e", at);
    text.replace(at, end - at, kNumbers[random_() % std::size(kNumbers)]);
  }
  std::mt19937 random_{12345};
};

// SINEW_FUZZ_SECONDS=60 for longer.
TEST_F(ServerTest, SurvivesAFuzzedStream) {
  const char* const given = std::getenv("SINEW_FUZZ_SECONDS");
  const auto until = Clock::now() + std::chrono::seconds(given ? std::atoi(given) : 5);
  Fuzzer fuzzer;
  std::size_t messages = 0;
  while (Clock::now() < until) {
    Page page(connect(), host());
    // So that nobody waits for the other. Bytes, not messages: a WebSocket that hears of its end
    // gives away its buffers, whoever else is just writing from them.
    std::thread listener([&] {
      beast::error_code failure;
      std::array<char, 4096> bytes;
      while (!failure)
        beast::get_lowest_layer(page.socket()).socket().read_some(net::buffer(bytes), failure);
    });
    beast::error_code failure;
    for (int i = 0; i < 2000 && !failure && Clock::now() < until; ++i, ++messages) {
      page.socket().binary(fuzzer.binary());
      const std::string text = fuzzer.next();
      page.socket().write(net::buffer(text), failure);
    }
    beast::error_code ignored;
    beast::get_lowest_layer(page.socket()).socket().shutdown(tcp::socket::shutdown_both, ignored);
    listener.join();
  }
  EXPECT_GT(messages, 100u);
  Page page(connect(), host());
  page.say(R"({"type": "control"})");
  page.say(R"({"type": "open", "scene": "scene"})");
  Json frame = page.frame();
  for (int i = 0; i < 10; ++i) frame = page.frame();
  EXPECT_EQ(Json::parse(get("/metrics.json").body())["finite"], true);
}

}  // namespace
}  // namespace sinew::viewer
