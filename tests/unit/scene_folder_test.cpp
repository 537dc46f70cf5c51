// The documentation of scenes, those in scenes/, and what becomes of them when bytes are changed.
#include <sinew/world.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "scene_testing.h"

namespace sinew {
namespace {

TEST(SceneDocumentation, CommittedFilesAreUpToDate) {
  EXPECT_TRUE(read_text(kSource / "docs/scene.schema.json") == scene_schema())
      << "run: sinew schema > docs/scene.schema.json";
  EXPECT_TRUE(read_text(kSource / "docs/scenes.md") == scene_documentation())
      << "run: sinew schema --documentation > docs/scenes.md";
}

TEST(SceneDocumentation, ItsExampleLoads) {
  const std::string page = scene_documentation();
  const std::size_t begin = page.find("```json\n") + 8;
  const Scene scene = parse(page.substr(begin, page.find("```", begin) - begin));
  EXPECT_EQ(scene.bodies.size(), 2u);
}

TEST(SceneDocumentation, LinksLeadToHeadings) {
  std::istringstream page(scene_documentation());
  std::set<std::string> anchors, links;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("## ", 0) == 0) anchors.insert(line.substr(3));
    if (const std::size_t colon = line.find(": "); line.rfind("### ", 0) == 0)
      anchors.insert(line.substr(4, colon - 4) + "-" + line.substr(colon + 2));
    for (std::size_t at = 0; (at = line.find("(#", at)) != std::string::npos; ++at)
      links.insert(line.substr(at + 2, line.find(')', at) - at - 2));
  }
  EXPECT_GT(links.size(), 10u);
  for (const std::string& link : links) EXPECT_TRUE(anchors.count(link)) << link;
}

TEST(SceneFuzz, MutatedTextsOnlyThrowError) {
  const std::string sound =
      R"({"name":"é\n","world":{"gravity":[0,-9.81,0],"dt":1e-2},"camera":{"fov_deg":35},
"bodies":[{"type":"static","shape":{"type":"capsule","radius":0.5},"pose":{"rotation":
{"axis":[0,1,0],"angle_deg":9}}},{"type":"rigid","name":"a","parts":[{"shape":{"type":"box"}}],
"mass":{"mass":2}},{"type":"soft","mesh":{"type":"box","size":[1,1,1],"cells":
[1,1,1],"split":"six"},"material":{"type":"stable_neo_hookean","poisson":0.4},"// c":[{}],
"pins":[{"type":"vertices","indices":[0,1]},{"type":"box","lower":[-1,-1,-1],"upper":[1,1,1]}]}],
"joints":[{"type":"hinge","a":"a","axis":[1,0,0],"range":{"lower":-1,"upper":1}}]})";
  ASSERT_NO_THROW(parse(sound));
  std::mt19937 random(3);
  const auto below = [&](std::size_t n) { return random() % n; };
  const std::string_view bytes = "{}[]\",:0123456789-+.eE/\\ntu\x01\x80\xff ";
  int accepted = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = sound;
    for (std::size_t edits = 1 + below(3); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = bytes[below(bytes.size())];
          break;
        case 1:
          text.insert(at, 1, bytes[below(bytes.size())]);
          break;
        case 2:
          text.erase(at, 1 + below(8));
          break;
        default:
          text.resize(round % 8 == 0 ? at : text.size());
          break;
      }
    }
    const std::string override_text = round % 3 == 0 ? text.substr(below(text.size() + 1), 40) : "";
    std::vector<std::string> overrides;
    if (!override_text.empty()) overrides.push_back("/bodies/1/" + override_text);
    try {
      parse(text, overrides);
      ++accepted;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(accepted, 50);
  EXPECT_LT(accepted, 3500);
}

// What an anchor carries sags, but does not fall.
bool is_carried(const Scene& scene) {
  return std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const SceneBody& body) {
    const auto* soft = std::get_if<SoftBody>(&body);
    return soft && soft->anchor_motion;
  });
}

TEST(ScenesFolder, EverySceneFallsAndHolds) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "scenes")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const Scene scene = load_scene(entry.path());
    EXPECT_FALSE(scene.name.empty());
    EXPECT_FALSE(scene.description.empty());
    World world = make_world(scene);
    const double before = world.energy().gravity;
    while (world.time() < 0.6) world.step(scene.dt);
    EXPECT_TRUE(world.finite());
    if (!world.soft_bodies().empty()) {
      EXPECT_LT(world.energy().gravity, (is_carried(scene) ? 1 : 0.95) * before);
    }
    for (const RigidId id : world.rigid_bodies())
      EXPECT_GT(world.state(id).center_of_mass.y, -0.01) << world.name(id);
    for (const SoftId id : world.soft_bodies()) {
      EXPECT_GT(bounds(world.positions(id)).lower.y, -0.01) << world.name(id);  // the floor
      EXPECT_NEAR(world.state(id).volume_ratio, 1, 0.1) << world.name(id);
      EXPECT_EQ(world.state(id).inverted, 0) << world.name(id);
    }
    ++count;
  }
  EXPECT_GE(count, 3);
}

}  // namespace
}  // namespace sinew
