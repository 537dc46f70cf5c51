// Detailed surfaces that ride in the mesh of a solid (SoftBody::skin). They are only looked at:
// nothing in a step knows of them.
#pragma once

#include <sinew/bodies.h>
#include <sinew/embedding.h>

#include <memory>
#include <string>

#include "core/row_packs.h"

namespace sinew {

struct Skin {
  TriMesh surface;  // at rest
  Embedding embedding;
};

// That of a body, none if it has none; takes the surface out of the definition. Throws Error, with
// `where` before the name of the field, for what cannot ride in the body's mesh, and tells the log
// of points that do not ride well.
std::shared_ptr<const Skin> make_skin(const std::string& where, SoftBody& body);

// Where its vertices are when the particles of the body are at `particles`.
std::vector<Vec3> skin_positions(const Skin& skin, const Row4<Real>* particles);

}  // namespace sinew
