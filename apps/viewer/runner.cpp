#include "runner.h"

#include <algorithm>
#include <chrono>

namespace sinew::viewer {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kWatchEvery = std::chrono::milliseconds(500);
// A world that is too slow for real time, or was held up, does not hurry to catch up.
constexpr auto kLatest = std::chrono::milliseconds(50);

// No step waits longer than a second for the one before it, however long they are.
Clock::duration seconds(double s) {
  s = std::min(s, 1.0);
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
}

}  // namespace

Runner::Runner(Session session, Audience audience)
    : session_(std::move(session)), audience_(std::move(audience)), thread_([this] { loop(); }) {}

Runner::~Runner() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  woken_.notify_one();
  thread_.join();
}

void Runner::post(Job job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  woken_.notify_one();
}

void Runner::join(int client) {
  post([this, client](Session& session) {
    clients_.push_back(client);
    session.join(client);
  });
}

void Runner::leave(int client) {
  post([this, client](Session& session) {
    std::erase(clients_, client);
    session.leave(client);
  });
}

void Runner::send() {
  for (Note& note : session_.take_notes()) audience_.note(std::move(note));
  std::shared_ptr<const Frame> frame = session_.take_frame();
  if (!frame) return;
  std::map<int, double> echoes;
  for (int client : clients_)
    if (const std::optional<double> echo = session_.echo(client)) echoes[client] = *echo;
  audience_.frame(std::move(frame), std::move(echoes));
}

void Runner::loop() {
  Clock::time_point due = Clock::now(), watched = due;
  for (;;) {
    std::deque<Job> jobs;
    {
      std::unique_lock lock(mutex_);
      const auto ready = [&] { return stop_ || !jobs_.empty(); };
      if (session_.playing())
        woken_.wait_until(lock, std::min(due, watched + kWatchEvery), ready);
      else
        woken_.wait_until(lock, watched + kWatchEvery, ready);
      if (stop_) return;
      jobs.swap(jobs_);
    }
    const bool was_playing = session_.playing();
    for (const Job& job : jobs) job(session_);
    const Clock::time_point now = Clock::now();
    if (now - watched >= kWatchEvery) {
      session_.watch_file();
      watched = now;
    }
    if (session_.playing()) {
      if (!was_playing) due = now;
      if (now >= due) {
        session_.step();
        due = std::max(due + seconds(session_.step_seconds()), Clock::now() - kLatest);
      }
    }
    send();
  }
}

}  // namespace sinew::viewer
