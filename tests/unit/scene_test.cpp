// Scenes: what a file says arrives in the bodies, and what is wrong with it is told by place.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "scene_testing.h"
#include "temp_dir.h"

namespace sinew {
namespace {

const SoftBody& soft(const Scene& scene, std::size_t i = 0) {
  return std::get<SoftBody>(scene.bodies.at(i));
}

TEST(Scene, EveryKeyArrives) {
  const Scene scene = parse(R"({
    "$schema": "x", "name": "n", "description": "d",
    "world": {"gravity": [1, 2, 3], "substeps": 4, "iterations": 5, "dt": 0.25, "seconds": 7},
    "camera": {"eye": [1, 1, 1], "target": [0, 0, 0], "fov_deg": 50},
    "bodies": [
      {"type": "static", "name": "rock", "shape": {"type": "sphere", "radius": 0.75},
       "pose": {"position": [1, 2, 3], "orientation": [0, 0.6, 0, 0.8]}, "friction": 0.25},
      {"type": "soft", "name": "jelly",
       "mesh": {"type": "box", "size": [2, 1, 1], "cells": [2, 1, 1], "split": "six"},
       "material": {"type": "stable_neo_hookean", "young": 500, "poisson": 0.25},
       "density": 900, "velocity": [1, 0, 0], "angular_velocity": [0, 2, 0],
       "friction": 0.125, "damping": 0.5, "drag": 2,
       "fibres": [{"stiffness": 7000, "direction": [0, 1, 0]}, {}],
       "pins": [{"type": "vertices", "indices": [3, 1, 3]}]}
    ]})");
  EXPECT_EQ(scene.name, "n");
  EXPECT_EQ(scene.description, "d");
  EXPECT_EQ(scene.path, kFile);
  EXPECT_EQ(scene.world.gravity, (Vec3{1, 2, 3}));
  EXPECT_EQ(scene.world.substeps, 4);
  EXPECT_EQ(scene.world.iterations, 5);
  EXPECT_EQ(scene.dt, Real(0.25));
  EXPECT_EQ(scene.seconds, 7);
  ASSERT_TRUE(scene.camera);
  EXPECT_EQ(scene.camera->fov_deg, 50);
  ASSERT_EQ(scene.bodies.size(), 2u);
  const auto& rock = std::get<StaticBody>(scene.bodies[0]);
  EXPECT_EQ(rock.name, "rock");
  EXPECT_EQ(std::get<Sphere>(rock.shape).radius, Real(0.75));
  EXPECT_EQ(rock.pose.position, (Vec3{1, 2, 3}));
  EXPECT_NEAR(rock.pose.orientation.y, 0.6, 1e-6);
  EXPECT_EQ(rock.friction, Real(0.25));
  const SoftBody& body = soft(scene, 1);
  EXPECT_EQ(std::get<TetMesh>(body.mesh).cells.size(), 12u);
  EXPECT_EQ(std::get<StableNeoHookean>(body.material).young, 500);
  EXPECT_EQ(std::get<StableNeoHookean>(body.material).poisson, Real(0.25));
  EXPECT_EQ(body.density, 900);
  EXPECT_EQ(body.velocity, (Vec3{1, 0, 0}));
  EXPECT_EQ(body.angular_velocity, (Vec3{0, 2, 0}));
  EXPECT_EQ(body.friction, Real(0.125));
  EXPECT_EQ(body.damping, Real(0.5));
  EXPECT_EQ(body.drag, 2);
  ASSERT_EQ(body.fibres.size(), 2u);
  EXPECT_EQ(body.fibres[0].stiffness, 7000);
  EXPECT_EQ(body.fibres[0].direction, (Vec3{0, 1, 0}));
  EXPECT_EQ(body.fibres[1].direction, (Vec3{1, 0, 0}));
  EXPECT_EQ(body.pins, (std::vector<Index>{1, 3}));
}

TEST(Scene, WhatIsLeftOutIsAsInCpp) {
  const Scene scene = parse(jelly());
  const SoftBody fresh;
  EXPECT_EQ(soft(scene).density, fresh.density);
  EXPECT_EQ(soft(scene).friction, fresh.friction);
  EXPECT_EQ(scene.world.gravity, WorldSettings{}.gravity);
  EXPECT_EQ(scene.world.substeps, WorldSettings{}.substeps);
  EXPECT_EQ(scene.dt, Real(1.0 / 60));
  EXPECT_EQ(scene.seconds, 5);
  EXPECT_FALSE(scene.camera);
  EXPECT_TRUE(scene.notes.empty());
}

TEST(Scene, CommentsAreIgnored) {
  const Scene scene =
      parse(R"({"//": {"deep": [1]}, "bodies": [{"type": "static", "// x": 1, "// y": 2,
                "shape": {"//": null, "type": "plane"}}]})");
  EXPECT_EQ(scene.bodies.size(), 1u);
}

TEST(Scene, RotationTurnsAboutItsAxis) {
  const Scene scene = parse(jelly(R"("pose":{"rotation":{"axis":[0,0,3],"angle_deg":90}})"));
  const Vec3 turned = soft(scene).pose.to_world({1, 0, 0});
  EXPECT_NEAR(turned.x, 0, 1e-6);
  EXPECT_NEAR(turned.y, 1, 1e-6);
}

TEST(Scene, OrientationIsNormalisedOrRefused) {
  const Scene scene = parse(jelly(R"("pose":{"orientation":[0,0.6,0,0.805]})"));
  const Quat q = soft(scene).pose.orientation;
  EXPECT_NEAR(q.y * q.y + q.w * q.w, 1, 1e-6);
  EXPECT_EQ(error_of(jelly(R"("pose":{"orientation":[0,0,0,1.5]})")),
            ": /bodies/0/pose/orientation: has length 1.5; it must be a unit quaternion");
  EXPECT_EQ(error_of(jelly(R"("pose":{"rotation":{"axis":[0,0,0],"angle_deg":9}})")),
            ": /bodies/0/pose/rotation/axis: is zero; it must point somewhere");
}

TEST(Scene, EveryMeshIsMade) {
  const auto volume = [](const std::string& mesh) {
    const Scene scene = parse(R"({"bodies":[{"type":"soft","mesh":)" + mesh + "}]}");
    return std::visit([](const auto& m) { return total_measure(m); }, soft(scene).mesh);
  };
  const double pi = 3.14159265;
  EXPECT_NEAR(volume(R"({"type":"box","size":[1,2,3],"cells":[2,2,2]})"), 6, 1e-4);
  EXPECT_NEAR(volume(R"({"type":"bar","length":2,"height":0.5,"width":0.5,"cells_across":2})"), 0.5,
              1e-5);
  EXPECT_NEAR(volume(R"({"type":"sphere","radius":1,"cells":8})"), 4 * pi / 3, 0.3);
  EXPECT_NEAR(volume(R"({"type":"torus","radius":1,"tube_radius":0.2})"), 0.08 * pi * pi, 0.1);
  EXPECT_NEAR(volume(R"({"type":"cylinder","radius":1,"height":2})"), 2 * pi, 0.5);
  EXPECT_NEAR(volume(R"({"type":"cloth","width":2,"depth":0.5})"), 1, 1e-5);
  EXPECT_NEAR(volume(R"({"type":"rope","length":3})"), 3, 1e-5);
}

TEST(Scene, PinsSelectByPlace) {
  // Vertices at 0, ±0.5 in each direction.
  const auto pinned = [](const std::string& pin) {
    return soft(parse(jelly("\"pins\":[" + pin + "]", "[2,2,2]"))).pins.size();
  };
  EXPECT_EQ(pinned(R"({"type":"box","lower":[-0.5,-1,-1],"upper":[-0.5,1,1]})"), 9u);
  EXPECT_EQ(pinned(R"({"type":"sphere","center":[0,0,0],"radius":0.5})"), 7u);
  EXPECT_EQ(pinned(R"({"type":"sphere","center":[0,0,0],"radius":0.1},
                      {"type":"box","lower":[-1,-1,-1],"upper":[0,0,0]})"),
            8u);
}

TEST(Scene, PinsThatSelectNothingAreRefused) {
  EXPECT_EQ(error_of(jelly(R"("pins":[{"type":"sphere","center":[5,0,0],"radius":1}])")),
            ": /bodies/0/pins/0: selects no vertex; the mesh extends from [-0.5, -0.5, -0.5] to "
            "[0.5, 0.5, 0.5]");
  EXPECT_EQ(error_of(jelly(R"("pins":[{"type":"vertices","indices":[0,8]}])")),
            ": /bodies/0/pins/0: names vertex 8; the mesh has 8, numbered from 0");
}

TEST(Scene, AttachmentsSelectAsPinsDo) {
  const auto attached = [](const std::string& vertices) {
    return jelly(R"("constraints":[{"type":"attachment","stiffness":5,"vertices":[)" + vertices +
                     R"(]}],"solver":{"type":"projective"},"material":{"type":"arap"})",
                 "[2,2,2]");
  };
  const Scene scene = parse(attached(R"({"type":"box","lower":[-1,0.5,-1],"upper":[1,0.5,1]})"));
  const auto& attachment = std::get<Attachment>(soft(scene).constraints.at(0));
  EXPECT_EQ(attachment.vertices.size(), 9u);
  EXPECT_EQ(attachment.stiffness, 5);
  EXPECT_TRUE(std::holds_alternative<Projective>(soft(scene).solver));
  EXPECT_EQ(error_of(attached(R"({"type":"vertices","indices":[27]})")),
            ": /bodies/0/constraints/0/vertices/0: names vertex 27; the mesh has 27, numbered from "
            "0");
}

TEST(Scene, ErrorsSayWhatIsWrong) {
  EXPECT_EQ(error_of(jelly(R"("density":-3)")),
            ": /bodies/0/density: is -3 kg/m³; it must be greater than 0");
  EXPECT_EQ(error_of(jelly(R"("densty":3)")),
            ": /bodies/0/densty: unknown key; did you mean \"density\"?");
  EXPECT_EQ(
      error_of(R"({"bodies":[],"zzzzzzzz":3})"),
      ": /zzzzzzzz: unknown key; known are $schema, name, description, world, camera, bodies, "
      "joints");
  EXPECT_EQ(error_of(jelly(R"("density":"heavy\n")")),
            R"(: /bodies/0/density: is "heavy\n"; it must be a number)");
  EXPECT_EQ(error_of(jelly(R"("velocity":[1,2])")),
            ": /bodies/0/velocity: is a list of 2; it must be a list of 3 numbers");
  EXPECT_EQ(error_of(R"({"bodies":[{"type":"soft"}]})"),
            ": /bodies/0/mesh: is missing (Rest shape)");
  EXPECT_EQ(error_of(R"({"bodies":[{"type":"sotf"}]})"),
            ": /bodies/0/type: is \"sotf\", which is unknown; did you mean \"soft\"?");
  EXPECT_EQ(error_of("[]"), ": the scene: is a list of 0; it must be an object");
  EXPECT_EQ(error_of(R"({"a/b~c":1,"bodies":[]})").substr(0, 12), ": /a~1b~0c: ");
  EXPECT_EQ(error_of(jelly(R"("camera":1)")).substr(0, 31), ": /bodies/0/camera: unknown key");
  EXPECT_EQ(error_of(R"({"bodies":[],"camera":{"eye":[1,1,1],"target":[1,1,1]}})"),
            ": /camera/eye: is where the target is; move one of them");
}

TEST(Scene, BrokenJsonIsToldByLineAndColumn) {
  EXPECT_EQ(error_of("{\n  \"bodies\": [,]\n}").substr(0, 20), ":2:14: broken JSON: ");
  EXPECT_EQ(error_of("{\"µµ\": x").substr(0, 19), ":1:8: broken JSON: ");
  EXPECT_EQ(error_of("").substr(0, 19), ":1:1: broken JSON: ");
  EXPECT_EQ(error_of("{\"name\": \"\xff\xfe\"}").substr(0, 20), ":1:11: broken JSON: ");
  EXPECT_EQ(error_of("{\"name\":\n 1e999}").substr(0, 4), ":2:6");
  EXPECT_EQ(error_of(jelly() + " }").find(":1:"), 0u);
}

TEST(Scene, KeysGivenTwiceAreRefused) {
  EXPECT_EQ(error_of(R"({"bodies":[{"type":"static"},{"shape":{"type":"box","type":"plane"}}]})"),
            ": /bodies/1/shape/type: is given twice");
}

TEST(Scene, DeepNestingIsRefused) {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string text = "{\"//\":";
    for (int i = 0; i < 100000; ++i) text += open;
    EXPECT_NE(error_of(text).find("is nested more than 64 deep"), std::string::npos);
    EXPECT_NE(error_of(text).find(*open == '[' ? "/0/0: is nested" : "/a/a: is nested"),
              std::string::npos);
  }
}

TEST(Scene, NumbersThatRealCannotHoldAreRefused) {
  if (sizeof(Real) > sizeof(float)) GTEST_SKIP() << "double holds them";
  EXPECT_EQ(error_of(jelly(R"("velocity":[0,1e300,0])")),
            ": /bodies/0/velocity/1: is 1e+300; rounded to 32 bits it is inf m/s; it must be a "
            "finite number");
}

TEST(Scene, AbsurdMeshesAreRefusedBeforeTheyAreMade) {
  EXPECT_EQ(error_of(jelly("", "[100000,100000,100000]")),
            ": /bodies/0/mesh: would have 1e+15 cells; at most 10 million are allowed");
  EXPECT_NE(error_of(R"({"bodies":[{"type":"soft","mesh":
                {"type":"bar","length":1e30,"height":1e-6,"width":1}}]})")
                .find(": /bodies/0/mesh: would have "),
            std::string::npos);
}

TEST(Scene, ErrorsOfGeneratorsAreToldByPlace) {
  const std::string message = error_of(
      R"({"bodies":[{"type":"soft","mesh":{"type":"torus","radius":1,"tube_radius":2}}]})");
  EXPECT_EQ(message.rfind(": /bodies/0/mesh: torus: tube_radius", 0), 0u) << message;
}

TEST(Scene, BrokenScenesAreRefusedAtTheirPlace) {
  // The same list is held against the schema by tests/tools/validate_scenes.py.
  const auto cases = nlohmann::json::parse(read_text(kSource / "tests/data/broken_scenes.json"));
  ASSERT_GT(cases.size(), 20u);
  for (const auto& one : cases) {
    SCOPED_TRACE(one["name"].get<std::string>());
    if (one["pointer"].is_null()) {
      EXPECT_NO_THROW(parse(one["scene"].dump()));
      continue;
    }
    const auto pointer = one["pointer"].get<std::string>();
    const std::string expected = ": " + (pointer.empty() ? "the scene" : pointer) + ": ";
    const std::string message = error_of(one["scene"].dump());
    EXPECT_EQ(message.substr(0, expected.size()), expected) << message;
  }
}

TEST(Scene, CurvesArrive) {
  const auto with = [](const std::string& material) {
    return jelly(R"("solver":{"type":"newton"},"material":{"type":"spline",)" + material + "}");
  };
  const Scene scene = parse(with(
      R"("young":5e4,"preset":"stiff_in_tension","stretch":[[0,-1],[1,1],[2,3.5]],"area":[])"));
  const Spline& spline = std::get<Spline>(soft(scene).material);
  EXPECT_EQ(spline.young, Real(5e4));
  EXPECT_EQ(spline.preset, SplinePreset::kStiffInTension);
  ASSERT_EQ(spline.stretch.size(), 3u);
  EXPECT_EQ(spline.stretch[2].at, 2);
  EXPECT_EQ(spline.stretch[2].slope, Real(3.5));
  EXPECT_TRUE(spline.area.empty());
  EXPECT_EQ(error_of(with(R"("stretch":[[0,1],[2]])")),
            ": /bodies/0/material/stretch/1: is a list of 1; it must be a list of 2 numbers");
  EXPECT_EQ(error_of(with(R"("volume":[[0,"x"],[2,1]])")),
            ": /bodies/0/material/volume/0/1: is \"x\"; it must be a number");
}

TEST(SceneOverride, ChangesValues) {
  const Scene scene = parse(jelly(R"("density":5,"velocity":[0,0,0])"),
                            {"/bodies/0/density=900", "/bodies/0/velocity/1=2.5",
                             "/bodies/0/name=big jelly", "/name=\"x\"", "/bodies/0/density=800"});
  EXPECT_EQ(soft(scene).density, 800);
  EXPECT_EQ(soft(scene).velocity, (Vec3{0, Real(2.5), 0}));
  EXPECT_EQ(soft(scene).name, "big jelly");
  EXPECT_EQ(scene.name, "x");
}

TEST(SceneOverride, EntersWhatWasLeftToItsDefault) {
  const Scene scene = parse(jelly(), {"/world/substeps=3", "/bodies/0/material/young=2e5",
                                      "/bodies/0/pose/position=[0,4,0]"});
  EXPECT_EQ(scene.world.substeps, 3);
  EXPECT_EQ(std::get<StableNeoHookean>(soft(scene).material).young, Real(2e5));
  EXPECT_EQ(soft(scene).pose.position.y, 4);
}

TEST(SceneOverride, ErrorsNameTheOverride) {
  EXPECT_EQ(error_of(jelly(), {"/bodies/0/materal/young=1"}),
            ": override \"/bodies/0/materal/young=1\": /bodies/0/materal: does not exist; did you "
            "mean \"material\"?");
  EXPECT_EQ(error_of(jelly(), {"/bodies/1/density=1"}),
            ": override \"/bodies/1/density=1\": /bodies/1: does not exist; /bodies has 1 entries, "
            "numbered from 0");
  EXPECT_EQ(error_of(jelly(), {"/bodies/0/densty=1"}),
            ": /bodies/0/densty: unknown key; did you mean \"density\"? (set by "
            "\"/bodies/0/densty=1\")");
  EXPECT_EQ(error_of(jelly(), {"/bodies/0/density=-1"}),
            ": /bodies/0/density: is -1 kg/m³; it must be greater than 0 (set by "
            "\"/bodies/0/density=-1\")");
  EXPECT_EQ(error_of(jelly(R"("density":5)"), {"/bodies/0/density/x=1"}),
            ": override \"/bodies/0/density/x=1\": /bodies/0/density/x: does not exist; "
            "/bodies/0/density is neither object nor list");
  for (const char* broken : {"", "density=3", "/bodies/0/density", "=", "\xff\n"})
    EXPECT_NE(error_of(jelly(), {broken}).find("must be POINTER=VALUE"), std::string::npos);
}

TEST(SceneFiles, PathsAreRelativeToTheScene) {
  const TempDir folder;
  std::filesystem::create_directory(folder.path() / "meshes");
  folder.file("meshes/tet.mesh",
              "MeshVersionFormatted 2\nDimension 3\nVertices\n5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n"
              "0 0 1 0\n9 9 9 0\nTetrahedra\n1\n1 3 2 4 0\nEnd\n");
  const auto path = folder.file("scene.json", R"({"bodies":[{"type":"soft",
      "mesh":{"type":"file","path":"meshes/tet.mesh","scale":0.5}}]})");
  const Scene scene = load_scene(path);
  EXPECT_NEAR(total_measure(std::get<TetMesh>(soft(scene).mesh)), 0.125 / 6, 1e-7);
  // It was inside out and had a vertex too many.
  ASSERT_EQ(scene.notes.size(), 1u);
  EXPECT_EQ(scene.notes[0].rfind("/bodies/0/mesh: ", 0), 0u) << scene.notes[0];
}

TEST(SceneFiles, HexahedraAreTakenAndMixturesRefused) {
  const TempDir folder;
  const std::string head =
      "MeshVersionFormatted 2\nDimension 3\nVertices\n8\n0 0 0 0\n1 0 0 0\n1 1 0 0\n0 1 0 0\n"
      "0 0 1 0\n1 0 1 0\n1 1 1 0\n0 1 1 0\nHexahedra\n1\n1 2 3 4 5 6 7 8 0\n";
  folder.file("cube.mesh", head + "End\n");
  folder.file("both.mesh", head + "Tetrahedra\n1\n1 2 4 5 0\nEnd\n");
  const auto scene = [&](const std::string& mesh) {
    return load_scene(folder.file(
        "scene.json",
        R"({"bodies":[{"type":"soft","mesh":{"type":"file","path":")" + mesh + R"("}}]})"));
  };
  EXPECT_NEAR(total_measure(std::get<HexMesh>(soft(scene("cube.mesh")).mesh)), 1, 1e-6);
  try {
    scene("both.mesh");
    FAIL() << "accepted";
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("has 1 tetrahedra and 1 hexahedra"), std::string::npos) << what;
  }
}

TEST(SceneFiles, MissingFilesAreToldByPlace) {
  const TempDir folder;
  EXPECT_THROW(load_scene(folder.path() / "none.json"), Error);
  const auto path = folder.file(
      "scene.json", R"({"bodies":[{"type":"soft","mesh":{"type":"file","path":"none.mesh"}}]})");
  try {
    load_scene(path);
    FAIL() << "accepted";
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind(path.string() + ": /bodies/0/mesh: ", 0), 0u) << what;
    EXPECT_NE(what.find((folder.path() / "none.mesh").string()), std::string::npos) << what;
  }
}

TEST(SceneWorld, HoldsTheBodies) {
  const World world = make_world(parse(R"({"world":{"substeps":3},"bodies":[
      {"type":"soft","name":"a","mesh":{"type":"box","cells":[1,1,1]},"pose":{"position":[0,2,0]}},
      {"type":"static","name":"b","shape":{"type":"plane"}}]})"));
  ASSERT_EQ(world.soft_bodies().size(), 1u);
  ASSERT_EQ(world.rigid_bodies().size(), 1u);
  EXPECT_EQ(world.settings().substeps, 3);
  EXPECT_EQ(world.name(world.soft_bodies()[0]), "a");
  EXPECT_NEAR(world.positions(world.soft_bodies()[0])[0].y, 1.5, 1e-6);
}

TEST(SceneWorld, ErrorsNameTheBody) {
  Scene scene = parse(jelly());
  std::get<SoftBody>(scene.bodies[0]).density = -1;
  try {
    make_world(scene);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "folder/test.json: /bodies/0: soft body.density is -1 kg/m³; it must be greater than "
              "0");
  }
}

}  // namespace
}  // namespace sinew
