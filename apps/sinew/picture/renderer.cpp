// One picture: depths from the light (shadows) and from under the floor (contact darkening), each
// gathered into a small map; then bodies, floors and backdrop into a multisampled framebuffer,
// which is resolved and read back.
#include <fmt/format.h>
#include <sinew/error.h>

#include <algorithm>
#include <cmath>

#include "egl_context.h"
#include "picture.h"
#include "plan.h"
#include "shaders.h"

namespace sinew {
namespace {

constexpr int kBlockersSize = 64;
constexpr int kContactsSize = 96;

// Texture units; each sampler of shaders.h has its own for good.
enum Unit : GLuint { kShadowTest, kBlockers, kContacts, kDepth };

float linear(Real srgb) { return std::pow(std::clamp(float(srgb), 0.0f, 1.0f), 2.2f); }

struct Map {
  GLuint texture = 0, framebuffer = 0;
  int size = 0;
};

Map make_map(Unit unit, int size, GLenum format, GLenum attachment, GLint filter) {
  Map map{0, 0, size};
  glGenTextures(1, &map.texture);
  glActiveTexture(GL_TEXTURE0 + unit);
  glBindTexture(GL_TEXTURE_2D, map.texture);
  glTexStorage2D(GL_TEXTURE_2D, 1, format, size, size);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  glGenFramebuffers(1, &map.framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, map.framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, map.texture, 0);
  check_framebuffer("shadow map");
  return map;
}

Map make_depth_map(int size) {
  return make_map(kDepth, size, GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT, GL_NEAREST);
}

Map make_gathered_map(Unit unit, int size) {
  return make_map(unit, size, GL_RGBA16F, GL_COLOR_ATTACHMENT0, GL_LINEAR);
}

// The shadow map a second time, through a sampler that compares depths and blends the answers.
void bind_shadow_test(GLuint shadow_map) {
  GLuint sampler = 0;
  glGenSamplers(1, &sampler);
  glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glSamplerParameteri(sampler, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glSamplerParameteri(sampler, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glSamplerParameteri(sampler, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  glActiveTexture(GL_TEXTURE0 + kShadowTest);
  glBindTexture(GL_TEXTURE_2D, shadow_map);
  glBindSampler(kShadowTest, sampler);
}

GLuint make_picture_program(const char* vertex, const std::string& fragment) {
  const GLuint program =
      make_program(std::string(kShaderCommon) + vertex, kShaderCommon + fragment);
  const GLuint block = glGetUniformBlockIndex(program, "Frame");
  if (block != GL_INVALID_INDEX) glUniformBlockBinding(program, block, 0);
  glUseProgram(program);
  for (const auto& [name, unit] : {std::pair{"shadow_test", kShadowTest},
                                   {"blockers", kBlockers},
                                   {"contacts", kContacts},
                                   {"depth", kDepth}})
    glUniform1i(glGetUniformLocation(program, name), GLint(unit));
  return program;
}

GLuint make_look_program(const char* fragment) {
  return make_picture_program(kBodyVertex, std::string(kShaderLight) + kShaderWire + fragment);
}

}  // namespace

struct PictureRenderer::Impl {
  explicit Impl(const PictureOptions& wanted);

  Image render(const PictureScene& scene);

 private:
  void check_options();
  void make_programs();
  void make_targets();
  void upload(const PicturePlan& plan);
  void draw_depths(const Map& map, const Mat4& clip, const PicturePlan& plan);
  void gather(const Map& from, const Map& to, GLuint program);
  void draw_picture(const PicturePlan& plan);
  Image read_back() const;

  PictureOptions options_;
  EglContext context_;
  GLuint depth_program_ = 0, blockers_program_ = 0, contacts_program_ = 0, backdrop_program_ = 0;
  std::array<GLuint, 3> look_programs_{};  // by Look
  Map shadow_depths_, blockers_, contact_depths_, contacts_;
  GLuint drawn_ = 0, resolved_ = 0;  // framebuffers
  GLuint vertex_buffer_ = 0, frame_buffer_ = 0;
};

PictureRenderer::Impl::Impl(const PictureOptions& wanted) : options_(wanted) {
  const EglContext::Current current(context_);
  check_options();
  make_programs();
  make_targets();
}

void PictureRenderer::Impl::check_options() {
  GLint largest = 0, most_samples = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
  glGetIntegerv(GL_MAX_SAMPLES, &most_samples);
  const auto check = [&](const char* field, int value) {
    if (value < 1 || value > largest)
      throw Error(fmt::format("picture {} = {}: give 1 to {} pixels", field, value, largest));
  };
  check("width", options_.width);
  check("height", options_.height);
  if (options_.samples < 1)
    throw Error(fmt::format("picture samples = {}: give at least 1", options_.samples));
  options_.samples = std::min(options_.samples, most_samples);
}

void PictureRenderer::Impl::make_programs() {
  depth_program_ = make_picture_program(kDepthVertex, kDepthFragment);
  blockers_program_ = make_picture_program(kScreenVertex, kBlockersFragment);
  contacts_program_ = make_picture_program(kScreenVertex, kContactsFragment);
  backdrop_program_ =
      make_picture_program(kScreenVertex, std::string(kShaderLight) + kBackdropFragment);
  look_programs_ = {make_look_program(kMatteFragment), make_look_program(kJellyFragment),
                    make_look_program(kFloorFragment)};
}

void PictureRenderer::Impl::make_targets() {
  shadow_depths_ = make_depth_map(kShadowMapSize);
  contact_depths_ = make_depth_map(kContactMapSize);
  blockers_ = make_gathered_map(kBlockers, kBlockersSize);
  contacts_ = make_gathered_map(kContacts, kContactsSize);
  bind_shadow_test(shadow_depths_.texture);

  const auto attach = [&](GLenum place, GLenum format, int samples) {
    GLuint buffer = 0;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, options_.width,
                                     options_.height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, buffer);
  };
  const int samples = options_.samples > 1 ? options_.samples : 0;
  glGenFramebuffers(1, &drawn_);
  glBindFramebuffer(GL_FRAMEBUFFER, drawn_);
  attach(GL_COLOR_ATTACHMENT0, GL_RGBA8, samples);
  attach(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, samples);
  check_framebuffer("picture");
  glGenFramebuffers(1, &resolved_);
  glBindFramebuffer(GL_FRAMEBUFFER, resolved_);
  attach(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0);
  check_framebuffer("picture");

  glGenBuffers(1, &frame_buffer_);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, frame_buffer_);
  glGenBuffers(1, &vertex_buffer_);
  glBindBuffer(GL_ARRAY_BUFFER, vertex_buffer_);
  for (GLuint i = 0; i < 2; ++i) {
    glEnableVertexAttribArray(i);
    glVertexAttribPointer(i, 3, GL_FLOAT, GL_FALSE, sizeof(Vertex),
                          reinterpret_cast<const void*>(std::size_t(i) * 3 * sizeof(float)));
  }
  glDepthFunc(GL_LEQUAL);  // the backdrop is at the farthest depth
}

void PictureRenderer::Impl::upload(const PicturePlan& plan) {
  glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(plan.vertices.size() * sizeof(Vertex)),
               plan.vertices.data(), GL_STREAM_DRAW);
  glBufferData(GL_UNIFORM_BUFFER, sizeof(FrameBlock), &plan.frame, GL_STREAM_DRAW);
}

void PictureRenderer::Impl::draw_depths(const Map& map, const Mat4& clip, const PicturePlan& plan) {
  glBindFramebuffer(GL_FRAMEBUFFER, map.framebuffer);
  glViewport(0, 0, map.size, map.size);
  glEnable(GL_DEPTH_TEST);
  glClear(GL_DEPTH_BUFFER_BIT);
  glUseProgram(depth_program_);
  glUniformMatrix4fv(glGetUniformLocation(depth_program_, "view"), 1, GL_FALSE, clip.data());
  for (const Batch& batch : plan.batches)
    if (batch.look != Look::kFloor) glDrawArrays(GL_TRIANGLES, batch.first, batch.count);
}

void PictureRenderer::Impl::gather(const Map& from, const Map& to, GLuint program) {
  glBindFramebuffer(GL_FRAMEBUFFER, to.framebuffer);
  glViewport(0, 0, to.size, to.size);
  glDisable(GL_DEPTH_TEST);
  glActiveTexture(GL_TEXTURE0 + kDepth);
  glBindTexture(GL_TEXTURE_2D, from.texture);
  glUseProgram(program);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void PictureRenderer::Impl::draw_picture(const PicturePlan& plan) {
  glBindFramebuffer(GL_FRAMEBUFFER, drawn_);
  glViewport(0, 0, options_.width, options_.height);
  glEnable(GL_DEPTH_TEST);
  glClear(GL_DEPTH_BUFFER_BIT);
  for (const Batch& batch : plan.batches) {
    const GLuint program = look_programs_[std::size_t(batch.look)];
    glUseProgram(program);
    const auto set = [&](const char* name, bool value) {
      glUniform1f(glGetUniformLocation(program, name), value ? 1.0f : 0.0f);
    };
    set("wire", batch.wire);
    set("fades", batch.endless);
    set("on_contact_floor", batch.contacts);
    glUniform3f(glGetUniformLocation(program, "colour"), linear(batch.colour.x),
                linear(batch.colour.y), linear(batch.colour.z));
    glDrawArrays(GL_TRIANGLES, batch.first, batch.count);
  }
  glUseProgram(backdrop_program_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

Image PictureRenderer::Impl::read_back() const {
  const int width = options_.width, height = options_.height;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, drawn_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved_);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved_);
  const std::size_t columns = std::size_t(width), rows = std::size_t(height);
  std::vector<std::uint8_t> rgba(columns * rows * 4);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  if (const GLenum error = glGetError(); error != GL_NO_ERROR)
    throw Error(fmt::format("cannot draw the picture: OpenGL error 0x{:x}", error));

  Image image{width, height, std::vector<std::uint8_t>(columns * rows * 3)};
  for (std::size_t y = 0; y < rows; ++y) {
    const std::uint8_t* from = &rgba[(rows - 1 - y) * columns * 4];  // OpenGL counts from below
    std::uint8_t* to = &image.rgb[y * columns * 3];
    for (std::size_t x = 0; x < columns; ++x) std::copy_n(from + 4 * x, 3, to + 3 * x);
  }
  return image;
}

Image PictureRenderer::Impl::render(const PictureScene& scene) {
  const PicturePlan plan = make_plan(scene, options_.width, options_.height);
  const EglContext::Current current(context_);
  upload(plan);
  draw_depths(shadow_depths_, plan.shadow_clip, plan);
  gather(shadow_depths_, blockers_, blockers_program_);
  if (plan.contact_clip) {
    draw_depths(contact_depths_, *plan.contact_clip, plan);
    gather(contact_depths_, contacts_, contacts_program_);
  }
  draw_picture(plan);
  return read_back();
}

PictureRenderer::PictureRenderer(const PictureOptions& options)
    : impl_(std::make_unique<Impl>(options)) {}
PictureRenderer::~PictureRenderer() = default;
PictureRenderer::PictureRenderer(PictureRenderer&&) noexcept = default;
PictureRenderer& PictureRenderer::operator=(PictureRenderer&&) noexcept = default;
Image PictureRenderer::render(const PictureScene& scene) { return impl_->render(scene); }

}  // namespace sinew
