// A session of the viewer: the stage, its past, who holds the controls, and what clients are told.
// It belongs to one thread (Runner) and knows nothing of sockets.
#pragma once

#include <array>
#include <map>
#include <set>

#include "gallery.h"
#include "history.h"
#include "metrics/metrics.h"

namespace sinew::viewer {

// A text for a client, or for all (0).
struct Note {
  int client;
  std::string text;
};

class Session {
 public:
  Session(Gallery gallery, int threads);

  // Opens a scene; throws Error, and goes on with the one before, if that does not work.
  void open(const std::filesystem::path& path, std::span<const std::string> overrides = {});

  void join(int client);
  void leave(int client);
  // Whatever is wrong with it is told to the client.
  void handle(const Command& command);

  void pause() { playing_ = false; }
  bool playing() const { return playing_ && stage_; }
  double step_seconds() const;  // of real time, from one step to the next
  void step();
  // Looks whether the scene's file has changed, and opens it again then.
  void watch_file();

  // The newest frame that is to be shown, if there is a new one since the last call.
  std::shared_ptr<const Frame> take_frame();
  std::vector<Note> take_notes();
  // The largest number of a client's commands that has been carried out.
  std::optional<double> echo(int client) const;

  std::string metrics_json() const;
  std::string scene_json() const;

 private:
  struct Client {
    std::optional<std::uint32_t> selected;
    Show show;
    std::optional<double> echo;
  };

  void carry_out(const Command& command);
  void release(int client);
  void start(Document document);
  void reset();
  void single_steps(int count);
  void scrub(std::int64_t step);
  void continue_from_shown();
  void save(int slot);
  void load(int slot);
  void select(int client, std::optional<std::uint32_t> body);
  void show(const Command& command);
  Show shown() const;  // what any client wants to see

  void measure(double step_ms);
  void tell(int client, const Json& message);
  void tell_error(int client, std::string_view message);
  void tell_fields(int client);
  void tell_status();
  void tell_events();
  void refresh();  // takes a frame of the world as it is now

  Gallery gallery_;
  std::shared_ptr<Executor> executor_;
  std::uint64_t epoch_ = 0;

  std::optional<Stage> stage_;
  std::vector<std::string> overrides_;
  std::filesystem::file_time_type file_time_ = {};
  History history_;
  std::map<int, Checkpoint> slots_;
  bool playing_ = true;
  double speed_ = 1;
  std::optional<std::int64_t> showing_;  // a step of the past

  std::map<int, Client> clients_;
  int controller_ = 0;

  Metrics metrics_;
  std::map<std::string, double> stages_;  // [s], up to the last report
  struct Report {
    double last = 0, started = 0, state_cost = 0, state_last = 0;  // [s]
    double wall = 0, cpu = 0;                                      // of steps since [ms]
    double simulated = 0;                                          // [s]
    int steps = 0;
    Json state = Json::object();  // energies and the like, which are found less often
  } report_;
  std::shared_ptr<const Json> stats_;

  std::shared_ptr<const Frame> fresh_;
  std::vector<Note> notes_;
  std::string last_status_;
  std::optional<std::int64_t> last_showing_;
  std::int64_t last_step_ = 0;
  double refreshed_ = 0;    // [s]
  double status_time_ = 0;  // [s]
};

}  // namespace sinew::viewer
