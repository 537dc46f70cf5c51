// An OpenGL ES 3 context without a window or a display server, and the few things drawing needs.
#pragma once

#include <EGL/egl.h>
#include <GLES3/gl3.h>

#include <string>

namespace sinew {

// All OpenGL objects made in a context go with it.
class EglContext {
 public:
  // Throws Error, naming the packages that help, when there is no driver.
  EglContext();
  ~EglContext();
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

  // While it lives, the calling thread draws in the context.
  class Current {
   public:
    explicit Current(const EglContext& context);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

   private:
    EGLDisplay display_;
  };

 private:
  EGLDisplay display_;
  EGLContext context_ = EGL_NO_CONTEXT;
};

// A linked program. Throws Error with the compiler's words.
GLuint make_program(const std::string& vertex, const std::string& fragment);

// Throws Error when the bound framebuffer cannot be drawn to.
void check_framebuffer(const char* what);

}  // namespace sinew
