// The small web server of the viewer: the page, and the socket that it talks through. It listens on
// loopback unless told otherwise, serves nothing but what is in the program, lets no page of
// another origin talk to the world, and bounds what clients may send and how many there may be.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "runner.h"

namespace sinew::viewer {

struct ServerSettings {
  std::string host = "127.0.0.1";  // address to listen on
  int port = 8090;                 // 0: any that is free
  bool any_port = false;           // if that one is taken
  std::string recording = {};      // a file to play; empty: live
};

class Server {
 public:
  // Takes the port. Throws Error if it is in use, or is not this machine's.
  Server(const ServerSettings& settings, Session session, const Gallery& gallery);
  ~Server();

  std::string url() const;
  // Serves until `stop` says so; it is asked several times a second.
  void run(const std::function<bool()>& stop);

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::viewer
