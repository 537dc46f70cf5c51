#include "server.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "assets.h"
#include "http_connection.h"
#include "socket_client.h"

namespace sinew::viewer {

namespace net = boost::asio;
using tcp = net::ip::tcp;

std::optional<Asset> find_asset(std::string_view path) {
  for (const Asset& asset : assets())
    if (asset.path == path) return asset;
  return std::nullopt;
}

bool Hub::knows_host(std::string_view name) const {
  if (const std::size_t colon = name.rfind(':');
      colon != std::string_view::npos && name.find(']', colon) == std::string_view::npos)
    name = name.substr(0, colon);
  if (name == "localhost" || name == host) return true;
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  boost::system::error_code failure;
  net::ip::make_address(std::string(name), failure);
  return !failure;
}

struct Server::Impl {
  Hub hub;
  tcp::acceptor acceptor{hub.context};
  net::steady_timer timer{hub.context};

  void listen(const ServerSettings& settings);
  void accept();
  void watch(const std::function<bool()>& stop);
};

void Server::Impl::listen(const ServerSettings& settings) {
  boost::system::error_code failure;
  const net::ip::address address = net::ip::make_address(settings.host, failure);
  if (failure)
    throw Error(
        fmt::format("--host is \"{}\"; it must be an address of this machine, such as "
                    "127.0.0.1",
                    settings.host));
  const auto take = [&](int port) {
    const tcp::endpoint endpoint(address, static_cast<std::uint16_t>(port));
    acceptor = tcp::acceptor(hub.context);
    acceptor.open(endpoint.protocol(), failure);
    if (!failure) acceptor.set_option(net::socket_base::reuse_address(true), failure);
    if (!failure) acceptor.bind(endpoint, failure);
    if (!failure) acceptor.listen(net::socket_base::max_listen_connections, failure);
  };
  take(settings.port);
  if (failure == net::error::address_in_use && settings.any_port) take(0);
  if (failure == net::error::address_in_use)
    throw Error(
        fmt::format("port {} is in use; name another one by --port, or 0 for any that is "
                    "free",
                    settings.port));
  if (failure)
    throw Error(fmt::format("cannot listen on {} port {}: {}", settings.host, settings.port,
                            failure.message()));
}

void Server::Impl::accept() {
  acceptor.async_accept([this](boost::system::error_code failure, tcp::socket socket) {
    if (failure == net::error::operation_aborted) return;
    if (!failure && hub.connections < kMostConnections)
      std::make_shared<HttpConnection>(std::move(socket), hub)->read();
    accept();
  });
}

void Server::Impl::watch(const std::function<bool()>& stop) {
  timer.expires_after(std::chrono::milliseconds(100));
  timer.async_wait([this, &stop](boost::system::error_code failure) {
    if (failure || stop()) return hub.context.stop();
    watch(stop);
  });
}

Server::Server(const ServerSettings& settings, Session session, const Gallery& gallery)
    : impl_(std::make_unique<Impl>()) {
  impl_->listen(settings);
  Hub& hub = impl_->hub;
  hub.host = settings.host;
  hub.recording = settings.recording;
  const bool live = settings.recording.empty();
  hub.session =
      live ? R"({"mode": "live"})" : R"({"mode": "replay", "recording": "recording.snr"})";
  hub.gallery = gallery
                    .json([](const std::string& name) {
                      return find_asset("gallery/" + name + ".jpg").has_value();
                    })
                    .dump(-1, ' ', false, Json::error_handler_t::replace);
  impl_->accept();
  if (!live) return;
  hub.runner = std::make_unique<Runner>(
      std::move(session),
      Audience{.frame =
                   [&hub](std::shared_ptr<const Frame> frame, std::map<int, double> echoes) {
                     net::post(hub.context,
                               [&hub, frame = std::move(frame), echoes = std::move(echoes)] {
                                 hub.last_frame = frame;
                                 for (const auto& [number, client] : std::map(hub.clients))
                                   client->frame(frame, echoes);
                               });
                   },
               .note =
                   [&hub](Note note) {
                     net::post(hub.context, [&hub, note = std::move(note)] {
                       for (const auto& [number, client] : std::map(hub.clients))
                         if (note.client == 0 || note.client == number) client->text(note.text);
                     });
                   }});
}

Server::~Server() {
  impl_->hub.runner.reset();
  impl_->hub.clients.clear();
}

std::string Server::url() const {
  const tcp::endpoint at = impl_->acceptor.local_endpoint();
  const std::string host = at.address().is_unspecified() ? "127.0.0.1"
                           : at.address().is_v6()        ? "[" + at.address().to_string() + "]"
                                                         : at.address().to_string();
  return fmt::format("http://{}:{}/", host, at.port());
}

void Server::run(const std::function<bool()>& stop) {
  impl_->watch(stop);
  impl_->hub.context.run();
}

}  // namespace sinew::viewer
