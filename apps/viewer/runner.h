// The thread that a session lives on: steps it in real time, and does in between what others ask.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "session.h"

namespace sinew::viewer {

// Where a runner sends what there is to see and to tell; called on its thread.
struct Audience {
  // `echoes`: by client, see Session::echo().
  std::function<void(std::shared_ptr<const Frame>, std::map<int, double> echoes)> frame;
  std::function<void(Note)> note;
};

class Runner {
 public:
  using Job = std::function<void(Session&)>;

  Runner(Session session, Audience audience);
  ~Runner();  // waits for the step under way

  // Does something to the session, as soon as the step under way is done. From any thread.
  void post(Job job);
  void join(int client);
  void leave(int client);

 private:
  void loop();
  void send();

  Session session_;
  Audience audience_;
  std::vector<int> clients_;
  std::mutex mutex_;
  std::condition_variable woken_;
  std::deque<Job> jobs_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace sinew::viewer
