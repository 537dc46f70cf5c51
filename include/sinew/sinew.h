// All of Sinew.
#pragma once

#include <sinew/bodies.h>
#include <sinew/embedding.h>
#include <sinew/error.h>
#include <sinew/executor.h>
#include <sinew/fit.h>
#include <sinew/generators.h>
#include <sinew/lcp.h>
#include <sinew/log.h>
#include <sinew/math.h>
#include <sinew/mesh.h>
#include <sinew/mesh_io.h>
#include <sinew/scene.h>
#include <sinew/world.h>
