// What a person would notice in a picture, checked on small ones.
#include "picture.h"

#include <gtest/gtest.h>
#include <png.h>
#include <sinew/error.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "surface.h"

namespace sinew {
namespace {

constexpr int kWidth = 320, kHeight = 180;
constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

// Six faces of n×n squares, sharing no vertices between faces.
TriMesh box_mesh(Real size, int n) {
  TriMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1}) {
      const Index base = Index(mesh.vertices.size()), row = Index(n + 1);
      for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) {
          Vec3 p;
          p[axis] = Real(side);
          p[(axis + 1) % 3] = Real(side) * (Real(2 * i) / Real(n) - 1);
          p[(axis + 2) % 3] = Real(2 * j) / Real(n) - 1;
          mesh.vertices.push_back(p * (size / 2));
        }
      for (Index j = 0; j + 1 < row; ++j)
        for (Index i = 0; i + 1 < row; ++i) {
          const Index a = base + j * row + i;
          mesh.cells.push_back({a, a + 1, a + row + 1});
          mesh.cells.push_back({a, a + row + 1, a + row});
        }
    }
  return mesh;
}

TriMesh ball_mesh(Real radius, int n) {
  TriMesh mesh = box_mesh(2, n);
  for (Vec3& v : mesh.vertices) v = normalized(v) * radius;
  return mesh;
}

PictureRenderer small_renderer() { return PictureRenderer({.width = kWidth, .height = kHeight}); }

PictureCamera front_camera() { return {.eye = {0, 2, 6}, .target = {0, Real(0.8), 0}}; }

PictureBody red_ball(const Vec3& at, Look look = Look::kMatte) {
  return {.surface = ball_mesh(Real(0.5), 8),
          .colour = {Real(0.8), Real(0.1), Real(0.1)},
          .look = look,
          .pose = {at, {}}};
}

PictureScene ball_on_floor(const Vec3& at = {0, Real(0.8), 0}) {
  return {.bodies = {red_ball(at)}, .floors = {PicturePlane{}}, .camera = front_camera()};
}

bool is_red(const std::uint8_t* p) { return p[0] > 2 * p[1] && p[0] > 2 * p[2] && p[0] > 50; }
bool is_grey(const std::uint8_t* p) {
  return std::abs(p[0] - p[1]) < 30 && std::abs(p[1] - p[2]) < 30;
}

// Where the red is: first and last column and row.
struct Extent {
  int left = kWidth, right = -1, top = kHeight, bottom = -1;
};
Extent red_extent(const Image& image) {
  Extent e;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (is_red(image.pixel(x, y))) {
        e.left = std::min(e.left, x), e.right = std::max(e.right, x);
        e.top = std::min(e.top, y), e.bottom = std::max(e.bottom, y);
      }
  return e;
}

int count_different(const Image& a, const Image& b) {
  int different = 0;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x)
      different += !std::equal(a.pixel(x, y), a.pixel(x, y) + 3, b.pixel(x, y));
  return different;
}

class TempFolder : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("sinew_picture_") + info->name() + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};
using PictureFile = TempFolder;

TEST(Picture, ShowsABodyWhereItIsInItsColour) {
  PictureRenderer renderer = small_renderer();
  for (const Look look : {Look::kMatte, Look::kJelly}) {
    PictureScene scene = ball_on_floor();
    scene.bodies[0].look = look;
    const Image image = renderer.render(scene);
    ASSERT_EQ(image.width, kWidth);
    ASSERT_EQ(image.height, kHeight);
    ASSERT_EQ(image.rgb.size(), std::size_t(kWidth * kHeight * 3));
    EXPECT_TRUE(is_red(image.pixel(kWidth / 2, kHeight / 2)));
    EXPECT_FALSE(is_red(image.pixel(5, 5)));
    EXPECT_FALSE(is_red(image.pixel(kWidth / 2, kHeight - 5)));
    // 0.5 m of radius, 6.1 m away, in a picture 2 tan(0.3) of its distance high.
    const Extent red = red_extent(image);
    EXPECT_NEAR(red.bottom - red.top, kHeight * 1.0 / (6.1 * 2 * std::tan(0.3)), 5);
  }
}

TEST(Picture, MovesWithThePose) {
  PictureRenderer renderer = small_renderer();
  const Extent left = red_extent(renderer.render(ball_on_floor({-1, Real(0.8), 0})));
  const Extent right = red_extent(renderer.render(ball_on_floor({1, Real(0.8), 0})));
  EXPECT_LT(left.right, kWidth / 2);
  EXPECT_GT(right.left, kWidth / 2);
}

// Floor pixels, left and right of the middle, that a ball at this height darkens by so much.
struct Darkened {
  int left = 0, right = 0;
};
Darkened darkened_floor(Real height, int by) {
  PictureRenderer renderer = small_renderer();
  PictureScene scene = ball_on_floor({0, height, 0});
  const Image with = renderer.render(scene);
  scene.bodies.clear();
  const Image without = renderer.render(scene);
  Darkened count;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const std::uint8_t* p = with.pixel(x, y);
      if (is_grey(p) && p[1] + by < without.pixel(x, y)[1])
        ++(x < kWidth / 2 ? count.left : count.right);
    }
  return count;
}

TEST(Picture, ShadowDarkensTheFloorOnTheFarSideOfTheLight) {
  const Darkened floor = darkened_floor(Real(1.2), 40);
  EXPECT_GT(floor.right, 300);
  EXPECT_LT(floor.left, floor.right / 10);
}

TEST(Picture, FloorDarkensAroundWhatStandsOnIt) {
  EXPECT_GT(darkened_floor(Real(0.5), 8).left, 3 * darkened_floor(Real(1.5), 8).left);
}

TEST(Picture, EmptySceneHasBackdropAndFloor) {
  PictureRenderer renderer = small_renderer();
  const Image backdrop = renderer.render({});
  EXPECT_GT(std::abs(backdrop.pixel(10, 0)[0] - backdrop.pixel(10, kHeight - 1)[0]), 20);
  const Image floor = renderer.render({.bodies = {}, .floors = {PicturePlane{}}});
  EXPECT_GT(count_different(backdrop, floor), kWidth * kHeight / 2);
}

TEST(Picture, FloorIsNotSeenFromBehind) {
  PictureRenderer renderer = small_renderer();
  PictureScene scene = ball_on_floor();
  const Image above = renderer.render(scene);
  scene.floors[0] = {.point = {0, 0, 3}, .normal = {0, 0, -1}};  // a wall between eye and ball
  EXPECT_TRUE(is_red(renderer.render(scene).pixel(kWidth / 2, kHeight / 2)));
  scene.floors[0].normal = {0, 0, 1};
  EXPECT_FALSE(is_red(renderer.render(scene).pixel(kWidth / 2, kHeight / 2)));
}

TEST(Picture, FramesBodiesOfAnySizeAnywhere) {
  PictureRenderer renderer = small_renderer();
  for (const Real size : {Real(0.01), Real(1), Real(300)}) {
    PictureBody ball = red_ball({});
    for (Vec3& v : ball.surface.vertices) v *= size;
    ball.pose.position = Vec3{40, Real(0.5), -70} * size;
    PictureBody ground{.surface = box_mesh(500 * size, 1), .look = Look::kFloor};
    ground.pose.position = {0, -250 * size, 0};
    const Extent red = red_extent(renderer.render({.bodies = {ball, ground}}));
    EXPECT_GT(red.top, kHeight / 20) << size;
    EXPECT_LT(red.bottom, kHeight - kHeight / 20) << size;
    EXPECT_GT(red.bottom - red.top, kHeight / 2) << size;
    EXPECT_NEAR((red.left + red.right) / 2.0, kWidth / 2.0, 12) << size;
  }
}

TEST(Picture, FramesTheShadowOfWhatIsInTheAir) {
  PictureRenderer renderer = small_renderer();
  PictureScene scene = ball_on_floor({0, 2, 0});
  scene.camera.reset();
  const Image image = renderer.render(scene);
  int shadow = 0;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      shadow += is_grey(image.pixel(x, y)) && image.pixel(x, y)[1] < 160 && y > kHeight / 2;
  EXPECT_GT(shadow, 200);
}

TEST(Picture, LeavesOutTrianglesThatCannotBeDrawn) {
  PictureRenderer renderer = small_renderer();
  PictureScene scene = ball_on_floor();
  const Image good = renderer.render(scene);
  TriMesh& mesh = scene.bodies[0].surface;
  const Index first = Index(mesh.vertices.size());
  mesh.vertices.push_back({kNan, 0, 0});
  mesh.vertices.push_back({0, std::numeric_limits<Real>::infinity(), 0});
  mesh.vertices.push_back({0, 0, Real(1e30)});
  for (Index i = 0; i < 3; ++i) mesh.cells.push_back({0, 1, first + i});
  mesh.cells.push_back({0, 1, 4000000000u});
  mesh.cells.push_back({0, 0, 1});
  EXPECT_EQ(renderer.render(scene).rgb, good.rgb);
  for (Vec3& v : mesh.vertices) v = {kNan, kNan, kNan};
  EXPECT_EQ(red_extent(renderer.render(scene)).right, -1);
}

TEST(Picture, ShowsBothSidesOfASheet) {
  PictureRenderer renderer = small_renderer();
  PictureScene scene = ball_on_floor();
  scene.bodies[0].surface = {{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  const Image front = renderer.render(scene);
  scene.bodies[0].surface.cells = {{0, 2, 1}};
  EXPECT_TRUE(is_red(front.pixel(kWidth / 2, kHeight / 2)));
  const Image back = renderer.render(scene);
  for (std::size_t i = 0; i < front.rgb.size(); ++i) ASSERT_NEAR(back.rgb[i], front.rgb[i], 6);
}

TEST(Picture, WireDrawsThinDarkerLines) {
  PictureRenderer renderer = small_renderer();
  PictureScene scene = ball_on_floor();
  scene.bodies[0].surface = box_mesh(2, 3);
  const Image plain = renderer.render(scene);
  scene.bodies[0].wire = true;
  const Image wired = renderer.render(scene);
  const Extent red = red_extent(plain);
  const int different = count_different(plain, wired);
  EXPECT_GT(different, 100);
  EXPECT_LT(different, (red.right - red.left) * (red.bottom - red.top) / 2);
  for (std::size_t i = 0; i < plain.rgb.size(); ++i) ASSERT_LE(wired.rgb[i], plain.rgb[i] + 1);
}

TEST(Picture, SameSceneSamePixels) {
  PictureRenderer first = small_renderer(), second = small_renderer();
  const Image image = first.render(ball_on_floor());
  second.render(ball_on_floor({1, 1, 0}));
  EXPECT_EQ(second.render(ball_on_floor()).rgb, image.rgb);
  EXPECT_EQ(first.render(ball_on_floor()).rgb, image.rgb);
}

TEST(Picture, SamplesSmoothEdges) {
  PictureRenderer jagged({.width = kWidth, .height = kHeight, .samples = 1});
  EXPECT_GT(
      count_different(jagged.render(ball_on_floor()), small_renderer().render(ball_on_floor())),
      50);
}

TEST(Picture, RefusesWhatCannotBeDrawn) {
  EXPECT_THROW(PictureRenderer({.width = 0, .height = 10}), Error);
  EXPECT_THROW(PictureRenderer({.width = 10, .height = 1 << 24}), Error);
  EXPECT_THROW(PictureRenderer({.samples = 0}), Error);
  PictureRenderer renderer = small_renderer();
  const auto refuses = [&](auto&& spoil) {
    PictureScene scene = ball_on_floor();
    spoil(scene);
    EXPECT_THROW(renderer.render(scene), Error);
  };
  refuses([](PictureScene& s) { s.camera->eye = s.camera->target; });
  refuses([](PictureScene& s) { s.camera->eye.x = kNan; });
  refuses([](PictureScene& s) { s.camera->up = {}; });
  refuses([](PictureScene& s) { s.camera->fov = 4; });
  refuses([](PictureScene& s) { s.floors[0].normal = {}; });
  refuses([](PictureScene& s) { s.floors[0].point.y = kNan; });
  PictureScene down = ball_on_floor();  // along `up`, which is no reason to refuse
  down.camera->eye = {0, 6, 0};
  EXPECT_TRUE(is_red(renderer.render(down).pixel(kWidth / 2, kHeight / 2)));
}

TEST(PictureDeathTest, NamesThePackagesWhenThereIsNoDriver) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto draw_without_driver = [] {
    ::setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent.json", 1);
    try {
      PictureRenderer renderer;
    } catch (const Error& error) {
      std::fputs(error.what(), stderr);
      std::_Exit(3);
    }
  };
  EXPECT_EXIT(draw_without_driver(), testing::ExitedWithCode(3), "apt install .*libegl-mesa0");
}

TEST(PictureSurface, BoxesAreCrispAndBallsSmooth) {
  for (const SurfaceCorner& c : surface_corners({.surface = box_mesh(1, 4)})) {
    const Real largest =
        std::max({std::fabs(c.normal.x), std::fabs(c.normal.y), std::fabs(c.normal.z)});
    EXPECT_NEAR(largest, 1, 1e-5);
  }
  const auto ball = surface_corners({.surface = ball_mesh(2, 8)});
  EXPECT_EQ(ball.size(), 6u * 64u * 2u * 3u);
  for (const SurfaceCorner& c : ball) EXPECT_GT(dot(c.normal, normalized(c.position)), 0.995);
}

TEST(PictureColours, DifferAndAreInRange) {
  for (std::size_t i = 0; i < 30; ++i) {
    const Vec3 c = body_colour(i), next = body_colour(i + 1);
    EXPECT_GT(length(c - next), 0.2);
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(c[k] >= 0 && c[k] <= 1);
  }
}

TEST_F(PictureFile, DecodesToTheSamePixels) {
  const Image image = small_renderer().render(ball_on_floor());
  const std::string path = (folder_ / "ball.png").string();
  write_png(path, image);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_file(&png, path.c_str())) << png.message;
  EXPECT_EQ(int(png.width), kWidth);
  EXPECT_EQ(int(png.height), kHeight);
  png.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> rgb(PNG_IMAGE_SIZE(png));
  ASSERT_TRUE(png_image_finish_read(&png, nullptr, rgb.data(), 0, nullptr)) << png.message;
  EXPECT_EQ(rgb, image.rgb);
}

TEST_F(PictureFile, LeavesNothingWhereItCannotWrite) {
  const Image image{2, 1, {1, 2, 3, 4, 5, 6}};
  EXPECT_THROW(write_png(folder_ / "none" / "a.png", image), Error);
  EXPECT_THROW(write_png(folder_, image), Error);
  EXPECT_THROW(write_png(folder_ / "b.png", Image{2, 2, image.rgb}), Error);
  EXPECT_THROW(write_png(folder_ / "b.png", Image{}), Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace sinew
