#include "egl_context.h"

#include <EGL/eglext.h>
#include <fmt/format.h>
#include <sinew/error.h>

#include <cstring>

namespace sinew {
namespace {

[[noreturn]] void fail(const char* what) {
  throw Error(fmt::format(
      "cannot draw pictures: {} (EGL error 0x{:x}); install Mesa's EGL and software driver, on "
      "Debian: apt install libegl1 libegl-mesa0 libgles2 libgl1-mesa-dri",
      what, static_cast<unsigned>(eglGetError())));
}

// One display serves the whole process. It is never terminated: that would take the contexts of
// others with it, and the driver cleans up at exit by itself.
EGLDisplay shared_display() {
  static const EGLDisplay display = [] {
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (!extensions || !std::strstr(extensions, "EGL_MESA_platform_surfaceless"))
      fail("EGL cannot draw without a screen (no EGL_MESA_platform_surfaceless)");
    const EGLDisplay opened =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (opened == EGL_NO_DISPLAY || !eglInitialize(opened, nullptr, nullptr))
      fail("EGL does not start");
    return opened;
  }();
  return display;
}

GLuint compile(GLenum kind, const std::string& text) {
  const GLuint shader = glCreateShader(kind);
  const char* source = text.c_str();
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  GLint good = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
  if (good) return shader;
  char log[2048] = "";
  glGetShaderInfoLog(shader, sizeof log, nullptr, log);
  throw Error(fmt::format("cannot draw pictures: the driver refuses a shader: {}", log));
}

}  // namespace

EglContext::EglContext() : display_(shared_display()) {
  eglBindAPI(EGL_OPENGL_ES_API);
  const EGLint config_attributes[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE,
                                      EGL_OPENGL_ES3_BIT, EGL_NONE};
  EGLConfig config;
  EGLint count = 0;
  if (!eglChooseConfig(display_, config_attributes, &config, 1, &count) || count < 1)
    fail("the driver has no OpenGL ES 3");
  const EGLint context_attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
  context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, context_attributes);
  if (context_ == EGL_NO_CONTEXT) fail("the driver gives no OpenGL ES 3 context");
}

EglContext::~EglContext() { eglDestroyContext(display_, context_); }

EglContext::Current::Current(const EglContext& context) : display_(context.display_) {
  if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context.context_))
    fail("the context cannot be used without a surface");
}

EglContext::Current::~Current() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

GLuint make_program(const std::string& vertex, const std::string& fragment) {
  const GLuint program = glCreateProgram();
  for (const GLuint shader :
       {compile(GL_VERTEX_SHADER, vertex), compile(GL_FRAGMENT_SHADER, fragment)}) {
    glAttachShader(program, shader);
    glDeleteShader(shader);  // it stays while the program has it
  }
  glLinkProgram(program);
  GLint good = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &good);
  if (good) return program;
  char log[2048] = "";
  glGetProgramInfoLog(program, sizeof log, nullptr, log);
  throw Error(fmt::format("cannot draw pictures: the driver refuses a program: {}", log));
}

void check_framebuffer(const char* what) {
  const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
  if (status != GL_FRAMEBUFFER_COMPLETE)
    throw Error(fmt::format(
        "cannot draw pictures: the driver cannot draw to the {} (0x{:x}); make the picture smaller",
        what, status));
}

}  // namespace sinew
