#include "session.h"

#include <fmt/format.h>
#include <sinew/error.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "clock.h"
#include "io/scene_json.h"

namespace sinew::viewer {
namespace {

constexpr int kSlots = 9;
constexpr int kMostSteps = 1000;        // in one command
constexpr double kReportEvery = 0.1;    // [s]
constexpr double kReportShare = 0.005;  // of real time, that energies and contacts may take
constexpr double kStatusEvery = 0.1;    // [s], when nothing but time has changed
constexpr double kFrame = 1.0 / 60;     // of a screen [s]
constexpr double kSlowest = 0.01, kFastest = 10;

// CPU time of this thread [s].
double thread_cpu() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// Commands that those who only watch may give, too.
bool for_everybody(const std::string& type) {
  return type == "select" || type == "show" || type == "control";
}

Json show_json(const Show& show) {
  Json field;
  if (show.field == CellField::kStress) field = "stress";
  if (show.field == CellField::kStrain) field = "strain";
  if (show.field == CellField::kVolume) field = "volume";
  return {{"field", field},
          {"contacts", show.contacts},
          {"joints", show.joints},
          {"bounds", show.bounds},
          {"cage", show.cage}};
}

std::filesystem::file_time_type time_of(const std::filesystem::path& path) {
  std::error_code failure;
  const auto time = std::filesystem::last_write_time(path, failure);
  return failure ? std::filesystem::file_time_type{} : time;
}

}  // namespace

Session::Session(Gallery gallery, int threads)
    : gallery_(std::move(gallery)), executor_(make_thread_pool(threads)) {}

// --- scenes --------------------------------------------------------------------------------------

void Session::open(const std::filesystem::path& path, std::span<const std::string> overrides) {
  const auto file_time = time_of(path);
  start(Document(path, overrides));
  overrides_.assign(overrides.begin(), overrides.end());
  file_time_ = file_time;
  slots_.clear();
  playing_ = true;
  speed_ = 1;
}

// Makes the world of a document; only when that is there, the one before goes.
void Session::start(Document document) {
  const Numbers numbers = stage_ ? stage_->view().numbers() : Numbers{};
  Stage fresh(std::move(document), epoch_ + 1, numbers, executor_);
  ++epoch_;
  stage_.emplace(std::move(fresh));
  history_.clear();
  history_.observe(*stage_);
  showing_.reset();
  metrics_ = {};
  report_ = {};
  stages_.clear();
  stats_.reset();
  for (auto& [number, client] : clients_) client.selected.reset();
  refresh();
  for (const auto& [number, client] : clients_) tell_fields(number);
}

// From the start again, with what was changed, but without what was put in.
void Session::reset() {
  if (stage_) start(stage_->document().as_in_file());
}

void Session::watch_file() {
  if (!stage_) return;
  const std::filesystem::path path = stage_->document().path();
  const auto time = time_of(path);
  if (time == file_time_ || time == std::filesystem::file_time_type{}) return;
  file_time_ = time;
  try {
    const bool playing = playing_;
    const double speed = speed_;
    open(path, std::vector<std::string>(overrides_));
    playing_ = playing;
    speed_ = speed;
    tell(0, {{"type", "notice"}, {"message", path.filename().string() + " has changed"}});
  } catch (const std::exception& error) {
    tell_error(0, error.what());
  }
}

// --- clients -------------------------------------------------------------------------------------

// Whoever is gone, or only watches from now on, lets go.
void Session::release(int client) {
  if (!stage_ || !stage_->holds(client)) return;
  const Command command(client, R"({"type": "release"})");
  stage_->apply(command);
  history_.add(stage_->world().step_count(), command);
  if (!playing_) refresh();
}

void Session::join(int client) {
  clients_[client];
  if (controller_ == 0) controller_ = client;
  last_status_.clear();  // everybody is told again
  tell_fields(client);
}

void Session::leave(int client) {
  clients_.erase(client);
  release(client);
  if (controller_ == client) controller_ = clients_.empty() ? 0 : clients_.begin()->first;
}

std::optional<double> Session::echo(int client) const {
  const auto it = clients_.find(client);
  return it == clients_.end() ? std::nullopt : it->second.echo;
}

void Session::handle(const Command& command) {
  const auto client = clients_.find(command.client());
  if (client == clients_.end()) return;
  try {
    if (!for_everybody(command.type()) && command.client() != controller_)
      throw Error("another page holds the controls; take them to change something");
    carry_out(command);
  } catch (const std::exception& error) {
    tell_error(command.client(), error.what());
  }
  if (command.sequence())
    client->second.echo = std::max(client->second.echo.value_or(-1), *command.sequence());
}

void Session::carry_out(const Command& command) {
  const std::string& type = command.type();
  if (type == "control") {
    if (controller_ != command.client()) release(controller_);
    controller_ = command.client();
  } else if (type == "show") {
    show(command);
  } else if (type == "select") {
    select(command.client(),
           command.has("body") ? std::optional(std::uint32_t(command.integer("body", 1, 1u << 31)))
                               : std::nullopt);
  } else if (type == "open") {
    open(gallery_.find(command.text("scene")));
  } else if (!stage_) {
    throw Error("there is no scene yet; open one");
  } else if (type == "play") {
    continue_from_shown();
    playing_ = true;
  } else if (type == "pause") {
    playing_ = false;
  } else if (type == "reset") {
    reset();
  } else if (type == "step") {
    continue_from_shown();
    playing_ = false;
    single_steps(int(command.has("count") ? command.integer("count", 1, kMostSteps) : 1));
  } else if (type == "speed") {
    speed_ = command.number("factor", kSlowest, kFastest);
  } else if (type == "scrub") {
    scrub(command.integer("step", 0, std::int64_t(1) << 53));
  } else if (type == "save") {
    save(int(command.integer("slot", 1, kSlots)));
  } else if (type == "load") {
    load(int(command.integer("slot", 1, kSlots)));
  } else {
    if (Stage::changes_world(type)) continue_from_shown();
    stage_->apply(command);
    history_.add(stage_->world().step_count(), command);
    if (type == "set")
      for (const auto& [number, client] : clients_)
        if (number != command.client()) tell_fields(number);
    // A material or solver of another kind has other fields.
    if (type == "set" && command.text("pointer").ends_with("/type")) tell_fields(command.client());
    if (!playing_) refresh();
  }
}

void Session::select(int client, std::optional<std::uint32_t> body) {
  if (body && stage_) stage_->view().find(*body);
  clients_[client].selected = body;
  tell_fields(client);
}

void Session::show(const Command& command) {
  Show& show = clients_[command.client()].show;
  if (command.has("field")) {
    const std::string& name = command.text("field");
    if (name == "stress")
      show.field = CellField::kStress;
    else if (name == "strain")
      show.field = CellField::kStrain;
    else if (name == "volume")
      show.field = CellField::kVolume;
    else
      throw Error("show: \"field\" must be stress, strain, volume or null");
  } else {
    show.field.reset();
  }
  show.contacts = command.flag_or("contacts", show.contacts);
  show.joints = command.flag_or("joints", show.joints);
  show.bounds = command.flag_or("bounds", show.bounds);
  show.cage = command.flag_or("cage", show.cage);
  if (stage_ && !playing_ && !showing_) refresh();
}

Show Session::shown() const {
  Show all;
  for (const auto& [number, client] : clients_) {
    const bool first = number == controller_ || !all.field;  // whoever holds the controls decides
    if (first && client.show.field) all.field = client.show.field;
    all.contacts |= client.show.contacts;
    all.joints |= client.show.joints;
    all.bounds |= client.show.bounds;
    all.cage |= client.show.cage;
  }
  return all;
}

// --- time ----------------------------------------------------------------------------------------

double Session::step_seconds() const { return stage_ ? double(stage_->dt()) / speed_ : 1; }

void Session::step() {
  const double start = now(), cpu = thread_cpu();
  stage_->step();
  const double ms = (now() - start) * 1e3;
  report_.cpu += (thread_cpu() - cpu) * 1e3;
  tell_events();
  metrics_.observe_time(ms);
  measure(ms);
  history_.observe(*stage_);
  // Steps shorter than a frame of a screen are not all shown.
  const auto steps_a_frame =
      std::max(1ll, std::llround(std::floor(kFrame / step_seconds() + 0.01)));
  if (!playing_ || stage_->world().step_count() % steps_a_frame == 0 ||
      now() - refreshed_ > 2 * kFrame)
    refresh();
}

void Session::single_steps(int count) {
  for (int i = 0; i < count; ++i) step();
}

void Session::scrub(std::int64_t step) {
  playing_ = false;
  const std::shared_ptr<const Frame> frame = history_.at(step);
  if (!frame) return;
  fresh_ = frame;
  showing_ = frame->step;
  if (frame->step >= history_.last_step()) showing_.reset();
}

// What is shown becomes the present.
void Session::continue_from_shown() {
  if (!showing_) return;
  history_.go_back(*stage_, *showing_);
  showing_.reset();
  for (int client : stage_->holders()) release(client);  // nobody's hand is there any more
  refresh();
}

void Session::save(int slot) {
  continue_from_shown();
  slots_.insert_or_assign(slot, stage_->checkpoint());
}

void Session::load(int slot) {
  const auto it = slots_.find(slot);
  if (it == slots_.end()) throw Error(fmt::format("nothing was saved as {}", slot));
  stage_->restore(it->second);
  history_.clear();
  history_.observe(*stage_);
  showing_.reset();
  refresh();
  for (const auto& [number, client] : clients_) tell_fields(number);
}

void Session::refresh() {
  refreshed_ = now();
  Frame frame = stage_->take(shown());
  frame.stats = stats_;
  const auto shared = std::make_shared<const Frame>(std::move(frame));
  history_.add(shared);
  fresh_ = shared;
}

// --- what is told --------------------------------------------------------------------------------

// Ten times a second: the mean over the steps since. Energies and contacts look at every vertex,
// and in large worlds come less often.
void Session::measure(double step_ms) {
  Report& r = report_;
  const double time = now();
  r.wall += step_ms;
  r.simulated += double(stage_->dt());
  ++r.steps;
  if (time - r.last < kReportEvery) return;
  const World& world = stage_->world();
  if (time - r.state_last > r.state_cost / kReportShare) {
    metrics_.observe_state(world);
    const Energy energy = world.energy();
    const ContactState contacts = world.contacts();
    double joint_error = 0, residual = 0;
    for (JointId id : world.joints())
      joint_error = std::max(joint_error, double(world.state(id).linear_error));
    for (SoftId id : world.soft_bodies())
      residual = std::max(residual, std::abs(world.solver_report(id).decrement));
    r.state = {
        {"energy",
         {{"kinetic", energy.kinetic}, {"gravity", energy.gravity}, {"elastic", energy.elastic}}},
        {"contacts", contacts.count + contacts.rigid_count},
        {"penetration", contacts.penetration_max},
        {"joint_error", joint_error},
        {"residual", residual},
        {"asleep", contacts.asleep}};
    r.state_last = time;
    r.state_cost = now() - time;
  }
  Json stages = Json::object();
  for (const StageTime& stage : world.profile()) {
    double& before = stages_[stage.name];
    stages[stage.name] = (stage.seconds - before) * 1e3 / r.steps;
    before = stage.seconds;
  }
  Json stats{{"step_ms", r.wall / r.steps},
             {"cpu_ms", r.cpu / r.steps},
             {"steps", r.steps},
             {"stages", std::move(stages)}};
  if (r.started > 0) stats["speed"] = r.simulated / std::max(time - r.started, 1e-6);
  stats.update(r.state);
  stats_ = std::make_shared<const Json>(std::move(stats));
  r.last = r.started = time;
  r.wall = r.cpu = r.simulated = 0;
  r.steps = 0;
}

void Session::tell_events() {
  const World& world = stage_->world();
  int broken = 0, frozen = 0;
  std::string first;
  for (const Event& event : world.events()) {
    const auto name = [&] {
      return world.contains(event.body) ? world.name(event.body) : world.name(event.rigid);
    };
    switch (event.kind) {
      case Event::Kind::kBroken:
        ++broken;
        break;
      case Event::Kind::kFrozen:
        if (frozen++ == 0) first = name();
        break;
      case Event::Kind::kSoftened:
        tell(0, {{"type", "notice"},
                 {"message", fmt::format("\"{}\" is softer than its material, as its substeps are "
                                         "too long; raise substeps_max",
                                         one_line(name()))}});
        break;
      case Event::Kind::kCalmed:  // the metric energy_taken counts it
        break;
    }
  }
  if (broken > 0)
    tell(0, {{"type", "notice"},
             {"message", broken == 1 ? "a joint broke" : fmt::format("{} joints broke", broken)}});
  if (frozen > 0)
    tell_error(0, fmt::format("\"{}\"{} was frozen at {:.3f} s: it would have become non-finite; "
                              "reset, or use less extreme parameters",
                              one_line(first),
                              frozen == 1 ? "" : fmt::format(", like {} more,", frozen - 1),
                              world.time()));
}

void Session::tell(int client, const Json& message) {
  notes_.push_back({client, message.dump(-1, ' ', false, Json::error_handler_t::replace)});
}

void Session::tell_error(int client, std::string_view message) {
  tell(client, {{"type", "error"}, {"message", one_line(message)}});
}

void Session::tell_fields(int client) {
  if (!stage_) return;
  const Document& document = stage_->document();
  tell(client, {{"type", "fields"},
                {"body", nullptr},
                {"title", "World"},
                {"fields", document.fields(std::nullopt)}});
  const auto& selected = clients_[client].selected;
  if (!selected) return;
  try {
    const std::string& pointer = stage_->view().pointer(*selected);
    const std::size_t index = std::stoul(pointer.substr(pointer.rfind('/') + 1));
    Json fields = document.fields(index);
    if (stage_->view().is_solid(*selected))  // it has no thickness to choose
      fields.erase(std::remove_if(fields.begin(), fields.end(),
                                  [](const Json& field) { return field["name"] == "thickness"; }),
                   fields.end());
    tell(client, {{"type", "fields"},
                  {"body", *selected},
                  {"title", pointer},
                  {"fields", std::move(fields)}});
  } catch (const Error&) {  // it is gone
    clients_[client].selected.reset();
  }
}

void Session::tell_status() {
  Json slots = Json::array();
  for (const auto& [slot, checkpoint] : slots_)
    slots.push_back({{"slot", slot}, {"time", checkpoint.snapshot.time()}});
  Json status{{"type", "status"},
              {"scene", stage_ ? Json(stage_->view().table()->name) : Json()},
              {"path", stage_ ? Json(stage_->document().path().string()) : Json()},
              {"playing", playing()},
              {"speed", speed_},
              {"controller", controller_},
              {"clients", clients_.size()},
              {"slots", std::move(slots)},
              {"drops", Stage::drops()},
              {"changes", stage_ ? Json(stage_->document().changes()) : Json::array()},
              {"show", show_json(shown())}};
  const std::string lasting = status.dump(-1, ' ', false, Json::error_handler_t::replace);
  const bool same = lasting == last_status_ && showing_ == last_showing_ &&
                    (playing() || history_.last_step() == last_step_);
  if (same && (!playing() || now() - status_time_ < kStatusEvery)) return;
  last_step_ = history_.last_step();
  last_status_ = lasting;
  last_showing_ = showing_;
  status_time_ = now();
  status["history"] = {{"first", history_.first_step()},
                       {"last", history_.last_step()},
                       {"at", showing_.value_or(history_.last_step())}};
  tell(0, status);
}

std::shared_ptr<const Frame> Session::take_frame() { return std::exchange(fresh_, nullptr); }

std::vector<Note> Session::take_notes() {
  tell_status();
  return std::exchange(notes_, {});
}

std::string Session::metrics_json() const {
  if (!stage_) return "{}\n";
  return metrics_.json(stage_->world(), double(stage_->dt())).dump(2) + "\n";
}

std::string Session::scene_json() const { return stage_ ? stage_->document().text() : "{}\n"; }

}  // namespace sinew::viewer
