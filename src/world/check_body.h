// What is wrong with the definition of a soft body beyond the limits of its fields.
#pragma once

#include <sinew/bodies.h>

#include <string>

namespace sinew {

bool is_solid(const BodyMesh& mesh);

// Throws Error; `where` names the body.
void check_body(const std::string& where, const SoftBody& body);

}  // namespace sinew
