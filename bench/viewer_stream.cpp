// What the viewer's server costs beyond the simulation, and what goes over the wire: a cloth of
// 20,000 vertices that is never at rest, streamed at 60 Hz to a client on loopback that
// acknowledges every frame. CPU time of the whole process, less that of the client and of the same
// steps by themselves. And how long it takes from a command to the frame that shows what it did.
//   bench_viewer_stream [SECONDS]
#include <fmt/format.h>
#include <sinew/scene.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "server.h"

namespace {

namespace beast = boost::beast;
namespace net = boost::asio;
using Clock = std::chrono::steady_clock;
using sinew::viewer::Json;

constexpr const char* kCloth = R"({
  "world": { "substeps": 2, "substeps_max": 2 },
  "bodies": [{ "type": "soft", "mesh": { "type": "cloth", "width": 1.4, "depth": 1.4, "cells_x": 141, "cells_z": 140 },
               "material": { "type": "none" },
               "pins": [{ "type": "box", "lower": [-1, -1, -1], "upper": [1, 1, 1] }],
               "anchor_motion": { "swing": [0.3, 0, 0], "turn": [0, 0.5, 0.2], "frequency": 0.5 } },
             { "type": "rigid", "name": "crate", "shape": { "type": "box" }, "pose": { "position": [5, 0, 0] } },
             { "type": "static", "shape": { "type": "plane" }, "pose": { "position": [0, -3, 0] } }]
})";

double cpu_seconds(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Watched {
  double wall = 0, client_cpu = 0, step_cpu = 0;  // [s]
  std::size_t bytes = 0, frames = 0;
  long long first_step = 0, last_step = 0;
  std::vector<double> latency;  // [s], from a command to the frame that tells that it was done
};

// Listens for some seconds; every tenth frame it moves the hand that holds the crate.
Watched watch(const std::string& port, double seconds) {
  net::io_context context;
  beast::websocket::stream<beast::tcp_stream> socket(context);
  beast::get_lowest_layer(socket).connect(net::ip::tcp::endpoint(
      net::ip::make_address("127.0.0.1"), static_cast<std::uint16_t>(std::stoi(port))));
  beast::get_lowest_layer(socket).socket().set_option(net::ip::tcp::no_delay(true));
  socket.handshake("127.0.0.1:" + port, "/socket");
  const auto say = [&](const std::string& text) { socket.write(net::buffer(text)); };
  say(R"({"type": "grab", "body": 2, "point": [0, 0, 0], "seq": 0})");

  Watched w;
  Clock::time_point start, said;
  int sequence = 0;
  double cpu = 0;
  while (w.frames == 0 || seconds_since(start) < seconds) {
    beast::flat_buffer buffer;
    socket.read(buffer);
    if (socket.got_text()) continue;
    const auto* data = static_cast<const char*>(buffer.data().data());
    if (std::string_view(data, 4) != "FRAM") continue;
    std::uint32_t length;
    std::memcpy(&length, data + 4, 4);
    const Json header = Json::parse(data + 8, data + 8 + length);
    if (w.frames++ == 0) {
      start = Clock::now();
      cpu = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
      w.first_step = header["step"];
    } else {
      w.bytes += buffer.size();
    }
    w.last_step = header["step"];
    if (w.frames > 1 && header.contains("stats"))
      w.step_cpu +=
          1e-3 * header["stats"]["cpu_ms"].get<double>() * header["stats"]["steps"].get<double>();
    say(fmt::format(R"({{"type": "ack", "frame": {}}})", header["frame"].get<std::size_t>()));
    if (sequence > 0 && header.value("echo", 0) == sequence && said != Clock::time_point{}) {
      w.latency.push_back(seconds_since(said));
      said = {};
    }
    if (w.frames % 10 == 0) {
      // At any time between two steps, as a person would.
      std::this_thread::sleep_for(std::chrono::microseconds(1009 * (w.frames / 10 % 16)));
      said = Clock::now();
      say(fmt::format(R"({{"type": "move", "to": [5, {}, 0], "seq": {}}})",
                      0.001 * double(w.frames), ++sequence));
    }
  }
  w.wall = seconds_since(start);
  w.client_cpu = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
  return w;
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 10;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("sinew_bench_{}", ::getpid());
  std::filesystem::create_directories(folder);
  const std::filesystem::path scene = folder / "cloth.json";
  std::ofstream(scene) << kCloth;

  sinew::viewer::Session session({}, 1);
  session.open(scene);
  std::optional<sinew::viewer::Server> server;
  server.emplace(sinew::viewer::ServerSettings{.port = 0}, std::move(session),
                 sinew::viewer::Gallery());
  std::string port = server->url();
  port = port.substr(port.rfind(':') + 1);
  port.pop_back();
  std::atomic<bool> stop = false;
  std::thread serving([&] { server->run([&] { return stop.load(); }); });
  watch(port, 1);  // warm-up
  const double cpu = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
  Watched w = watch(port, seconds);
  const double all = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  stop = true;
  serving.join();
  server.reset();
  std::filesystem::remove_all(folder);

  const double steps = double(w.last_step - w.first_step);
  const double server_cpu = all - w.client_cpu - w.step_cpu;
  std::sort(w.latency.begin(), w.latency.end());
  fmt::print("vertices streamed    {}\n", 142 * 141);
  fmt::print("frames               {:.1f} per second\n", double(w.frames) / w.wall);
  fmt::print("on the wire          {:.2f} MB/s\n", double(w.bytes) / w.wall / 1e6);
  fmt::print("simulation           {:.1f} % of a core ({:.2f} ms a step)\n",
             100 * w.step_cpu / w.wall, 1e3 * w.step_cpu / steps);
  fmt::print("server beyond that   {:.2f} % of a core ({:.3f} ms a frame)\n",
             100 * server_cpu / w.wall, 1e3 * server_cpu / double(w.frames));
  if (!w.latency.empty())
    fmt::print(
        "command to frame     {:.1f} ms median, {:.1f} ms at most, of {} (a step: {:.1f} ms)\n",
        1e3 * w.latency[w.latency.size() / 2], 1e3 * w.latency.back(), w.latency.size(), 1e3 / 60);
}
