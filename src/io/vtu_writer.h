// Writes one unstructured grid as a VTK XML file (.vtu) that ParaView opens: arrays appended raw
// and compressed with zlib. https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html
#pragma once

#include <sinew/pvd_recorder.h>

#include <iosfwd>

namespace sinew {

// Sizes must agree: vectors one per point, scalars one per cell.
void write_vtu(std::ostream& out, const PvdBody& body);

}  // namespace sinew
