// The engine. Beside it are <sinew/fit.h> (link sinew::fit), and <sinew/scene.h>,
// <sinew/mesh_io.h>, <sinew/recording.h> and <sinew/pvd_recorder.h> (link sinew::io).
#pragma once

#include <sinew/bodies.h>
#include <sinew/embedding.h>
#include <sinew/error.h>
#include <sinew/executor.h>
#include <sinew/generators.h>
#include <sinew/lcp.h>
#include <sinew/log.h>
#include <sinew/math.h>
#include <sinew/mesh.h>
#include <sinew/world.h>
