// Recordings for ParaView.
#include <sinew/pvd_recorder.h>

#include <algorithm>
#include <limits>

#include "core/atomic_file.h"
#include "unit/format_testing.h"
#include "unit/temp_dir.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

const std::vector<Vec3> kPoints{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const std::vector<Tetrahedron> kTets{{0, 1, 2, 3}};
const std::vector<Triangle> kTriangles{{0, 1, 2}, {1, 2, 3}};

PvdBody tet_body(std::string_view name) { return {name, kPoints, std::span(kTets), {}, {}}; }

// Every file below a folder, by its path from there, sorted.
std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    files.push_back(fs::relative(entry.path(), folder).generic_string());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(PvdRecorder, WritesFramesAndTheirTimes) {
  const TempDir dir;
  const std::vector<Vec3> velocity(4, Vec3{1, 2, 3});
  const std::vector<Real> strain{Real(0.25), Real(0.5)};
  const NamedVectors vectors[] = {{"velocity", velocity}};
  const NamedScalars scalars[] = {{"strain <max>", strain}};
  const PvdBody bodies[] = {tet_body("jelly cube/1"),
                            {"cloth", kPoints, std::span(kTriangles), vectors, scalars}};
  PvdRecorder recorder(dir.path() / "run.pvd");
  recorder.add_frame(0, bodies);
  recorder.add_frame(0.125, std::span(bodies).first(1));
  recorder.finish();

  EXPECT_EQ(files_in(dir.path()),
            (std::vector<std::string>{"run", "run.pvd", "run/run_000000_cloth.vtu",
                                      "run/run_000000_jelly_cube_1.vtu",
                                      "run/run_000001_jelly_cube_1.vtu"}));
  const std::string pvd = read_file(dir.path() / "run.pvd");
  EXPECT_PRED2(contains, pvd,
               "<DataSet timestep=\"0\" part=\"1\" file=\"run/run_000000_cloth.vtu\" />");
  EXPECT_PRED2(
      contains, pvd,
      "<DataSet timestep=\"0.125\" part=\"0\" file=\"run/run_000001_jelly_cube_1.vtu\" />");
  const std::string cloth = read_file(dir.path() / "run/run_000000_cloth.vtu");
  EXPECT_EQ(read_as(k_vtu, cloth).triangles, kTriangles);
  EXPECT_PRED2(contains, cloth, "Name=\"velocity\" NumberOfComponents=\"3\"");
  EXPECT_PRED2(contains, cloth, "Name=\"strain &lt;max>\" NumberOfComponents=\"1\"");
  EXPECT_EQ(read_as(k_vtu, read_file(dir.path() / "run/run_000001_jelly_cube_1.vtu")).tetrahedra,
            kTets);
}

TEST(PvdRecorder, KeepsBodiesOfOneNameApart) {
  const TempDir dir;
  const PvdBody bodies[] = {tet_body("ball"), tet_body("ball"), tet_body(""), tet_body("ball")};
  PvdRecorder recorder(dir.path() / "run.pvd");
  recorder.add_frame(0, bodies);
  recorder.finish();
  EXPECT_EQ(files_in(dir.path() / "run").size(), 4u);
}

TEST(PvdRecorder, LeavesNothingBehindWithoutFinish) {
  const TempDir dir;
  {
    PvdRecorder recorder(dir.path() / "run.pvd");
    const PvdBody bodies[] = {tet_body("a")};
    recorder.add_frame(0, bodies);
    EXPECT_FALSE(files_in(dir.path()).empty());
  }
  EXPECT_EQ(files_in(dir.path()), std::vector<std::string>{});
}

TEST(PvdRecorder, ReplacesAnEarlierRecordingOnlyWhenFinished) {
  const TempDir dir;
  const PvdBody bodies[] = {tet_body("a")};
  const auto record = [&](int frames, bool finish) {
    PvdRecorder recorder(dir.path() / "run.pvd");
    for (int i = 0; i < frames; ++i) recorder.add_frame(i, bodies);
    if (finish) recorder.finish();
  };
  record(3, true);
  std::ofstream(dir.path() / "run" / "notes.vtu") << "mine";
  const std::vector<std::string> before = files_in(dir.path());
  EXPECT_EQ(before.size(), 6u);
  record(1, false);
  EXPECT_EQ(files_in(dir.path()), before);
  record(1, true);
  EXPECT_EQ(files_in(dir.path()),
            (std::vector<std::string>{"run", "run.pvd", "run/notes.vtu", "run/run_000000_a.vtu"}));
}

TEST(PvdRecorder, RefusesBadPathsBeforeAnythingIsRecorded) {
  const TempDir dir;
  EXPECT_THROW(PvdRecorder(dir.path() / "run.vtu"), Error);
  EXPECT_THROW(PvdRecorder(dir.path() / "missing" / "run.pvd"), Error);
  dir.file("run", "a file where the folder should be");
  EXPECT_THROW(PvdRecorder(dir.path() / "run.pvd"), Error);
  fs::create_directory(dir.path() / "folder.pvd");
  EXPECT_THROW(PvdRecorder(dir.path() / "folder.pvd"), Error);
  EXPECT_EQ(files_in(dir.path()), (std::vector<std::string>{"folder.pvd", "run"}));

  const PvdRecorder first(dir.path() / "twice.pvd");
  EXPECT_THROW(PvdRecorder(dir.path() / "twice.pvd"), Error);
}

TEST(PvdRecorder, RefusesFramesThatDoNotFit) {
  const TempDir dir;
  PvdRecorder recorder(dir.path() / "run.pvd");
  const PvdBody good[] = {tet_body("a")};
  recorder.add_frame(1, good);
  EXPECT_THROW(recorder.add_frame(1, good), Error);
  EXPECT_THROW(recorder.add_frame(std::numeric_limits<double>::quiet_NaN(), good), Error);

  const std::vector<Vec3> short_vectors(3);
  const std::vector<Real> long_scalars(2);
  const NamedVectors vectors[] = {{"velocity", short_vectors}};
  const NamedScalars scalars[] = {{"strain", long_scalars}};
  PvdBody bad[] = {tet_body("good"), tet_body("bad")};
  bad[1].point_vectors = vectors;
  EXPECT_THROW(recorder.add_frame(2, bad), Error);
  bad[1] = tet_body("bad");
  bad[1].cell_scalars = scalars;
  EXPECT_THROW(recorder.add_frame(2, bad), Error);
  bad[1] = tet_body("bad");
  bad[1].points = bad[1].points.first(3);
  EXPECT_THROW(recorder.add_frame(2, bad), Error);

  recorder.add_frame(2, good);
  recorder.finish();
  EXPECT_EQ(files_in(dir.path() / "run"),
            (std::vector<std::string>{"run_000000_a.vtu", "run_000001_a.vtu"}));
  EXPECT_THROW(recorder.add_frame(3, good), Error);
  EXPECT_THROW(recorder.finish(), Error);
}

}  // namespace
}  // namespace sinew
