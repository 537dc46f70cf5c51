// Reads text files of numbers and words: by token, across lines (Medit, Gmsh, VTK), or word by word
// on one line (OBJ, TetGen). Blanks part tokens, '#' begins a comment anywhere, a backslash at the
// end of a line joins it to the next, CR before LF is a blank. Numbers do not depend on the locale
// and are rounded correctly. Every error says "file:line: what".
//
//   TextCursor in(source.path, source.bytes);
//   while (in.next_line())                          // line by line …
//     if (in.word() == "v") v = {in.real(in.word()), …};
//   const std::size_t n = in.count("vertices");     // … or token by token
#pragma once

#include <sinew/mesh.h>

#include <filesystem>
#include <string_view>

namespace sinew {

// A copy is a bookmark: read ahead on it and the original stays where it is. The path and the text
// must outlive the cursor.
class TextCursor {
 public:
  TextCursor(const std::filesystem::path& path, std::string_view text, std::size_t first_line = 1);

  // The next token, on whatever line; empty at the end of the text.
  std::string_view token();
  // The next token of the current line; empty at the end of the line.
  std::string_view word();
  // Leaves the current line for the next one that holds a token; false when there is none. At the
  // start and behind raw_line() no line is current yet.
  bool next_line();
  // What is left of the current line, comments included, without its line end, which is passed:
  // for titles and headers.
  std::string_view raw_line();
  // Nothing but blanks and comments left.
  bool at_end();

  // The number a token stands for; Error when it stands for none. `what` names it in the message.
  double real(std::string_view token, const char* what = "a number") const;
  std::int64_t integer(std::string_view token, const char* what = "an integer") const;
  // A reference to one of `count` things that the file numbers from `first`; counted from 0.
  Index index(std::string_view token, std::size_t count, std::int64_t first = 1,
              const char* what = "vertex") const;
  // How many things follow. Error when they cannot all be there, at `bytes_each` or more in the
  // text: what is returned is safe to allocate.
  std::size_t count(std::string_view token, const char* what, std::size_t bytes_each = 2) const;

  // The same, of the next token on whatever line.
  double real() { return real(token()); }
  std::int64_t integer() { return integer(token()); }
  Index index(std::size_t count, std::int64_t first = 1) { return index(token(), count, first); }
  std::size_t count(const char* what, std::size_t bytes_each = 2) {
    return count(token(), what, bytes_each);
  }
  Vec3 vec3();
  // Three numbers that must stand on the current line.
  Vec3 vec3_on_line();

  // Throws Error unless the next token, on whatever line, is `keyword`.
  void expect(std::string_view keyword);

  [[noreturn]] void fail(std::string_view what) const;  // at the line of the last token
  std::size_t line() const { return line_; }
  // Byte offset in the text, just behind the last token or line; move_to() passes over a block of
  // binary data (and does not count the line ends inside it).
  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
  void move_to(std::size_t offset);

 private:
  [[noreturn]] void fail_expected(std::string_view what, std::string_view found) const;
  void skip_blanks();  // to a token, or the end of the line

  const std::filesystem::path* path_;
  const char *begin_, *at_, *end_;
  std::size_t line_;
  bool on_line_ = false;  // the current line has been entered: next_line() is to leave it
};

// ASCII letters only, whatever the locale.
std::string lower_case(std::string_view text);

// 'token', shortened and with control characters replaced, fit for a message.
std::string quote_token(std::string_view token);

}  // namespace sinew
