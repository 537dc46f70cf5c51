// What a page can do to a session, without a server between them.
#include <fmt/format.h>

#include <cmath>

#include "viewer_testing.h"

namespace sinew::viewer {
namespace {

TEST_F(SessionTest, TellsWhatThereIs) {
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->scene->bodies.size(), 3u);
  EXPECT_EQ(frame->scene->title, "Jelly and crate");
  EXPECT_EQ(status["scene"], "scene");
  EXPECT_EQ(status["controller"], 1);
  EXPECT_FALSE(world_fields.empty());
  run(10);
  EXPECT_EQ(frame->step, 10);
  EXPECT_TRUE(errors.empty());
}

TEST_F(SessionTest, AHandPullsASoftBodyAndTellsItsForce) {
  say(R"({"type": "set", "pointer": "/bodies/2/material/young", "value": 2e5})");
  say(R"({"type": "set", "pointer": "/bodies/2/drag", "value": 2})");
  run(100);
  const double before = middle().y;
  const std::uint32_t jelly = number("jelly");
  say(fmt::format(
      R"({{"type": "grab", "body": {}, "stream": {}, "triangle": 0, "weights": [0.3, 0.3, 0.4]}})",
      jelly, frame->streams[0].stream));
  say(R"({"type": "move", "to": [0, 1.5, 0]})");
  run(400);
  ASSERT_EQ(frame->grabs.size(), 1u);
  EXPECT_GT(middle().y, before + 0.5);
  // It hangs at rest: the hand bears its weight, 125 kg.
  EXPECT_NEAR(length(to_double(frame->grabs[0].force)), 125 * 9.81, 0.2 * 125 * 9.81);
  say(R"({"type": "release"})");
  run(150);
  EXPECT_TRUE(frame->grabs.empty());
  EXPECT_NEAR(middle().y, before, 0.1);
  EXPECT_TRUE(errors.empty());
}

TEST_F(SessionTest, AHandPullsARigidBodyAndThrowsIt) {
  const std::uint32_t crate = number("crate");
  say(fmt::format(R"({{"type": "grab", "body": {}, "point": [0, 0.2, 0]}})", crate));
  for (int i = 0; i < 100; ++i) {
    say(fmt::format(R"({{"type": "move", "to": [{}, 1.2, 0]}})", 2 + 0.02 * i));
    run(1);
  }
  EXPECT_GT(rigid("crate").position[1], 0.6f);
  say(R"({"type": "release"})");
  const float thrown = rigid("crate").position[0];
  run(20);
  EXPECT_GT(rigid("crate").position[0], thrown + 0.1f);
}

TEST_F(SessionTest, WhoeverVanishesLetsGo) {
  say(fmt::format(R"({{"type": "grab", "body": {}, "point": [0, 0, 0]}})", number("crate")));
  say(R"({"type": "move", "to": [2, 3, 0]})");
  run(100);
  EXPECT_GT(rigid("crate").position[1], 1.5f);
  session.join(2);
  session.leave(1);
  run(200);
  EXPECT_LT(rigid("crate").position[1], 0.3f);
  EXPECT_EQ(status["controller"], 2);
}

TEST_F(SessionTest, PinsHoldAndAreTakenOutAgain) {
  const std::string pin =
      fmt::format(R"({{"type": "pin", "body": {}, "point": [0, 0, 0]}})", number("crate"));
  say(fmt::format(R"({{"type": "grab", "body": {}, "point": [0, 0, 0]}})", number("crate")));
  say(R"({"type": "move", "to": [2, 2, 0]})");
  run(150);
  say(pin);
  say(R"({"type": "release"})");
  run(100);
  EXPECT_NEAR(rigid("crate").position[1], 2, 0.05);
  ASSERT_TRUE(frame->pins);
  EXPECT_EQ(frame->pins->count, 1u);
  say(pin);
  run(100);
  EXPECT_LT(rigid("crate").position[1], 1.5f);
  EXPECT_FALSE(frame->pins);

  const std::string soft = fmt::format(
      R"({{"type": "pin", "body": {}, "stream": {}, "triangle": 0, "weights": [1, 0, 0]}})",
      number("jelly"), frame->streams[0].stream);
  say(soft);
  ASSERT_TRUE(frame->pins || (run(1), frame->pins));
  say(soft);
  run(1);
  EXPECT_FALSE(frame->pins);
  EXPECT_TRUE(errors.empty());
}

TEST_F(SessionTest, ASliderMakesItStiffer) {
  say(R"({"type": "set", "pointer": "/bodies/2/material/young", "value": 5e3})");
  run(300);
  const double soft = middle().y;
  say(R"({"type": "set", "pointer": "/bodies/2/material/young", "value": 2e5})");
  run(300);
  EXPECT_GT(middle().y, soft + 0.01);
  EXPECT_EQ(status["changes"][0], "/bodies/2/material/young=200000.0");
  EXPECT_TRUE(errors.empty());
}

TEST_F(SessionTest, MaterialsAndSolversAreSwappedByOneWord) {
  run(50);
  say(fmt::format(R"({{"type": "select", "body": {}}})", number("jelly")));
  ASSERT_FALSE(body_fields.empty());
  for (const char* solver : {"quasi_newton", "newton", "position"}) {
    say(fmt::format(R"({{"type": "set", "pointer": "/bodies/2/solver/type", "value": "{}"}})",
                    solver));
    run(50);
    EXPECT_NEAR(middle().y, 0.25, 0.08) << solver;
  }
  say(R"({"type": "set", "pointer": "/bodies/2/material/type", "value": "corotated"})");
  run(100);
  EXPECT_NEAR(middle().y, 0.25, 0.08);
  EXPECT_TRUE(errors.empty()) << errors.front();
}

TEST_F(SessionTest, ImpossibleValuesAreRefusedByPlaceAndChangeNothing) {
  run(20);
  const std::string before = hash();
  say(R"({"type": "set", "pointer": "/bodies/2/material/poisson", "value": 0.6})");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_NE(errors[0].find("/bodies/2/material/poisson"), std::string::npos) << errors[0];
  say(R"({"type": "set", "pointer": "/bodies/2/density", "value": -3})");
  say(R"({"type": "set", "pointer": "/world/substeps", "value": 0})");
  say(R"({"type": "set", "pointer": "/world/dt", "value": "long"})");
  EXPECT_EQ(errors.size(), 4u);
  EXPECT_EQ(hash(), before);
  EXPECT_TRUE(status["changes"].empty());
}

TEST_F(SessionTest, NothingButWhatIsOfferedCanBeSet) {
  for (const char* pointer : {"/bodies/2/mesh/path", "/bodies/2/mesh", "/bodies/2/name", "/bodies",
                              "/name", "", "/bodies/99/density", "/bodies/-1/density", "/bodies/2",
                              "/bodies//density", "/world", "/bodies/18446744073709551617/density"})
    say(fmt::format(R"({{"type": "set", "pointer": "{}", "value": "/etc/passwd"}})", pointer));
  EXPECT_EQ(errors.size(), 12u);
}

TEST_F(SessionTest, TheStepAndGravityCanBeChanged) {
  say(R"({"type": "set", "pointer": "/world/gravity", "value": [0, 2, 0]})");
  run(100);
  EXPECT_GT(rigid("crate").position[1], 0.5f);
  say(R"({"type": "set", "pointer": "/world/dt", "value": 0.005})");
  say(R"({"type": "pause"})");
  const double time = frame->time;
  say(R"({"type": "step", "count": 10})");
  EXPECT_NEAR(frame->time - time, 0.05, 0.011);  // not all of the steps before were shown
}

TEST_F(SessionTest, TheFutureComesOutTheSameAfterGoingBack) {
  say(fmt::format(R"({{"type": "grab", "body": {}, "point": [0.1, 0.2, 0]}})", number("crate")));
  for (int i = 0; i < 120; ++i) {
    if (i == 40) say(R"({"type": "set", "pointer": "/bodies/2/material/young", "value": 1e4})");
    if (i == 60) say(R"({"type": "drop", "what": "box", "at": [0, 2, 2], "size": 0.3})");
    if (i == 90) say(R"({"type": "release"})");
    say(fmt::format(R"({{"type": "move", "to": [2, {}, 0]}})", 0.4 + 0.01 * i));
    run(1);
  }
  const std::string after = hash();
  run(100);
  say(R"({"type": "scrub", "step": 120})");
  EXPECT_EQ(frame->step, 120);
  EXPECT_EQ(status["history"]["at"], 120);
  EXPECT_EQ(status["playing"], false);
  say(R"({"type": "play"})");
  EXPECT_EQ(hash(), after);
  EXPECT_EQ(frame->scene->bodies.size(), 4u);
  say(R"({"type": "scrub", "step": 30})");
  EXPECT_EQ(frame->scene->bodies.size(), 3u);  // before the drop
  say(R"({"type": "step"})");
  EXPECT_EQ(frame->step, 31);
  EXPECT_EQ(status["history"]["last"], 31);
  EXPECT_TRUE(errors.empty());
}

TEST_F(SessionTest, WhatWasDoneToWhatWasDroppedIsDoneAgain) {
  say(R"({"type": "pause"})");
  say(R"({"type": "step", "count": 10})");
  say(R"({"type": "drop", "what": "box", "at": [0, 3, 3], "size": 0.3})");
  say(R"({"type": "drop", "what": "jelly", "at": [3, 3, 3], "size": 0.3})");
  say(R"({"type": "step", "count": 5})");
  say(fmt::format(R"({{"type": "pin", "body": {}, "point": [0, 0, 0]}})", number("Box")));
  say(fmt::format(
      R"({{"type": "pin", "body": {}, "stream": {}, "triangle": 0, "weights": [1, 0, 0]}})",
      number("Jelly"), frame->streams[1].stream));
  say(R"({"type": "step", "count": 100})");
  const std::string pinned = hash();
  const std::uint32_t box = number("Box");
  say(R"({"type": "scrub", "step": 60})");
  say(R"({"type": "step", "count": 55})");
  EXPECT_EQ(hash(), pinned);
  EXPECT_EQ(number("Box"), box);
  EXPECT_TRUE(errors.empty());
}

TEST_F(SessionTest, WhatIsShownGoesOn) {
  say(R"({"type": "pause"})");
  say(R"({"type": "step", "count": 10})");
  say(R"({"type": "drop", "what": "box", "at": [0, 3, 3], "size": 0.3})");
  say(R"({"type": "step", "count": 10})");
  EXPECT_EQ(status["history"]["last"], 20);
  say(R"({"type": "scrub", "step": 10})");
  EXPECT_EQ(frame->scene->bodies.size(), 4u);
  say(R"({"type": "step"})");
  EXPECT_EQ(frame->scene->bodies.size(), 4u);
  EXPECT_EQ(frame->step, 11);
}

TEST_F(SessionTest, HandsOfThePastLetGo) {
  say(fmt::format(R"({{"type": "grab", "body": {}, "point": [0, 0, 0]}})", number("crate")));
  say(R"({"type": "move", "to": [2, 3, 0]})");
  run(100);
  say(R"({"type": "release"})");
  run(20);
  say(R"({"type": "scrub", "step": 90})");
  session.join(2);
  session.leave(1);
  say(R"({"type": "play"})", 2);
  run(200);
  EXPECT_TRUE(frame->grabs.empty());
  EXPECT_EQ(frame->step, 290);
  EXPECT_TRUE(errors.empty()) << errors[0];
  EXPECT_LT(rigid("crate").position[1], 0.3f);
}

TEST_F(SessionTest, ChangesAreACommandLineThatWorks) {
  say(R"({"type": "set", "pointer": "/bodies/2/material/poisson", "value": 0.3})");
  say(R"({"type": "set", "pointer": "/bodies/2/material/type", "value": "none"})");
  say(R"({"type": "set", "pointer": "/bodies/2/solver/type", "value": "quasi_newton"})");
  say(R"({"type": "set", "pointer": "/bodies/2/solver/iterations", "value": 3})");
  const std::vector<std::string> changes = status["changes"];
  EXPECT_NO_THROW(load_scene(folder.scene(), changes));
  EXPECT_TRUE(errors.empty());
}

TEST_F(SessionTest, WhoOnlyWatchedLeavesThePastAsItIs) {
  run(100);
  session.join(2);
  say(R"({"type": "scrub", "step": 30})");
  session.leave(2);
  hear();
  EXPECT_EQ(status["history"]["at"], 30);
  EXPECT_EQ(status["history"]["last"], 100);
}

TEST_F(SessionTest, SnapshotsComeBackBitByBit) {
  run(30);
  say(R"({"type": "save", "slot": 1})");
  const std::string saved = hash();
  say(R"({"type": "set", "pointer": "/bodies/2/material/young", "value": 1e6})");
  run(30);
  say(R"({"type": "reset"})");
  run(10);
  say(R"({"type": "load", "slot": 1})");
  EXPECT_EQ(hash(), saved);
  EXPECT_TRUE(status["changes"].empty());  // as it was then
  run(1);
  EXPECT_TRUE(errors.empty());
  say(R"({"type": "load", "slot": 2})");
  EXPECT_EQ(errors.size(), 1u);
}

TEST_F(SessionTest, ResetBeginsAnewWithWhatWasChanged) {
  say(R"({"type": "set", "pointer": "/bodies/2/density", "value": 500})");
  say(R"({"type": "drop", "what": "jelly", "at": [0, 2, 2], "size": 0.3})");
  say(R"({"type": "shoot", "origin": [0, 1, 5], "direction": [0, 0, -1], "speed": 5, "radius": 0.1})");
  run(50);
  EXPECT_EQ(frame->scene->bodies.size(), 5u);
  say(R"({"type": "reset"})");
  EXPECT_EQ(frame->step, 0);
  EXPECT_EQ(frame->scene->bodies.size(), 3u);
  EXPECT_EQ(status["changes"].size(), 1u);
  EXPECT_EQ(Json::parse(session.scene_json())["bodies"][2]["density"], 500);
  EXPECT_EQ(Json::parse(session.scene_json())["bodies"].size(), 3u);
  EXPECT_TRUE(errors.empty());
}

TEST_F(SessionTest, EverythingThatIsOfferedDrops) {
  for (const auto& what : status["drops"])
    say(fmt::format(R"({{"type": "drop", "what": "{}", "at": [0, 3, 3], "size": 0.3}})",
                    what.get<std::string>()));
  run(100);
  EXPECT_EQ(frame->scene->bodies.size(), 3 + status["drops"].size());
  EXPECT_TRUE(errors.empty());
  say(fmt::format(R"({{"type": "remove", "body": {}}})", number("jelly")));
  run(1);
  EXPECT_EQ(frame->scene->bodies.size(), 2 + status["drops"].size());
}

TEST_F(SessionTest, ABrokenSceneLeavesTheOneBeforeRunning) {
  run(10);
  folder.write("broken",
               R"({"bodies": [{"type": "soft", "mesh": {"type": "box"}, "density": -3}]})");
  Session other(Gallery(folder.path()), 1);
  say(R"({"type": "open", "scene": "broken"})");
  EXPECT_EQ(errors.size(), 1u);  // it was not there when the gallery was made
  folder.write("scene",
               R"({"bodies": [{"type": "static", "shape": {"type": "plane"}, "friction": -1}]})");
  std::filesystem::last_write_time(
      folder.scene(), std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
  session.watch_file();
  hear();
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_NE(errors[1].find("scene.json: /bodies/0/friction"), std::string::npos) << errors[1];
  run(1);
  EXPECT_EQ(frame->step, 11);
  folder.write("scene", R"({"name": "mended", "bodies": []})");
  std::filesystem::last_write_time(
      folder.scene(), std::filesystem::file_time_type::clock::now() + std::chrono::seconds(10));
  session.watch_file();
  hear();
  EXPECT_EQ(frame->scene->title, "mended");
  run(3);  // of nothing
  EXPECT_EQ(notices.size(), 1u);
}

TEST_F(SessionTest, OnlyOnePageHoldsTheControls) {
  session.join(2);
  say(R"({"type": "pause"})", 2);
  EXPECT_EQ(errors.size(), 1u);
  EXPECT_EQ(status["playing"], true);
  say(R"({"type": "show", "field": "stress"})", 2);
  say(R"({"type": "control"})", 2);
  say(R"({"type": "pause"})", 2);
  EXPECT_EQ(errors.size(), 1u);
  EXPECT_EQ(status["playing"], false);
  EXPECT_EQ(status["controller"], 2);
}

TEST_F(SessionTest, ShowsFieldsContactsAndBounds) {
  say(R"({"type": "show", "field": "stress", "contacts": true, "bounds": true, "joints": true})");
  run(150);
  ASSERT_TRUE(frame->field);
  EXPECT_STREQ(frame->field->unit, "Pa");
  EXPECT_GT(frame->field->max, 100);
  EXPECT_LT(frame->field->max, 1e5);
  ASSERT_TRUE(frame->streams[0].field);
  EXPECT_GE(frame->streams[0].field->size(), frame->streams[0].count);
  ASSERT_TRUE(frame->contacts && frame->bounds && frame->joints);
  EXPECT_GE(frame->contacts->count, 4u + 25u);  // the crate's corners, the jelly's bottom
  EXPECT_GE(frame->bounds->count, 2u);
  // The forces below the crate, 64 kg, add up to its weight.
  const auto* numbers = reinterpret_cast<const float*>(frame->contacts->block->data());
  double force = 0;
  for (std::size_t i = 0; i < frame->contacts->count; ++i) force += std::abs(numbers[6 * i + 4]);
  EXPECT_NEAR(force, 64 * 9.81, 0.1 * 64 * 9.81);
}

TEST_F(SessionTest, CommandsThatMakeNoSenseAreAnsweredPlainly) {
  for (
      const char* command :
      {R"({"type": "fly"})", R"({"type": "grab"})",
       R"({"type": "grab", "body": 77, "point": [0, 0, 0]})",
       R"({"type": "grab", "body": 1e300, "point": [0, 0, 0]})",
       R"({"type": "speed", "factor": 0})", R"({"type": "speed", "factor": null})",
       R"({"type": "scrub", "step": -1})", R"({"type": "save", "slot": 1.5})",
       R"({"type": "drop", "what": "anvil", "at": [0, 0, 0], "size": 1})",
       R"({"type": "shoot", "origin": [0, 0, 0], "direction": [0, 0, 0], "speed": 1, "radius": 1})",
       R"({"type": "open", "scene": "../../etc/passwd"})", R"({"type": "select", "body": "all"})",
       R"({"type": "show", "field": "smell"})", R"({"type": "remove", "body": 123456})"}) {
    const std::size_t before = errors.size();
    say(command);
    EXPECT_EQ(errors.size(), before + 1) << command;
  }
  run(1);
}

}  // namespace
}  // namespace sinew::viewer
