// Which bodies are solved together by one thread. At first those that are neighbours in the rows:
// what is added one after the other is mostly near each other in space. Where that is not so, or
// not any more, too many contacts are between zones, where threads wait for each other after every
// colour and pass bodies to and fro; then zones are chosen anew, by halving the room along its
// longest side until few enough bodies are in each part (M. Berger and S. Bokhari, "A partitioning
// strategy for nonuniform problems on multiprocessors", 1987). Nothing here depends on the number
// of threads.
#include <algorithm>

#include "rigid/rigid_step.h"

namespace sinew {
namespace {

constexpr BodyRow kZoneBodies = 512;
constexpr int kLeastContacts = 2048;       // fewer are not worth it
constexpr Real kMostBetween = Real(0.25);  // of the contacts
constexpr Real kMostGrowth = Real(1.5);    // or of what could not be avoided last time
constexpr int kLeastSteps = 60;            // between two choices

int contacts_of(const ContactZone& zone) {
  int sum = 0;
  for_each_colour(zone, false, [&](int, const ContactColour& colour) { sum += colour.count; });
  return sum;
}

Real share_between(const RigidWorld& world, int contacts) {
  return contacts > 0 ? Real(contacts_of(world.zones[kBetween])) / Real(contacts) : Real(0);
}

// Gives the bodies of a part of the list zones from `next` on.
void halve(RigidWorld& world, std::span<BodyRow> rows, std::uint32_t& next) {
  if (rows.size() <= kZoneBodies) {
    for (BodyRow row : rows) world.track[row].zone = next;
    ++next;
    return;
  }
  const auto at = [&](BodyRow row, int axis) { return world.rows.pose[row].c[axis]; };
  int longest = 0;
  Real most = -1;
  for (int axis = 0; axis < 3; ++axis) {
    const auto [low, high] = std::minmax_element(
        rows.begin(), rows.end(), [&](BodyRow a, BodyRow b) { return at(a, axis) < at(b, axis); });
    if (at(*high, axis) - at(*low, axis) <= most) continue;
    most = at(*high, axis) - at(*low, axis);
    longest = axis;
  }
  const std::size_t half = rows.size() / 2;
  std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(half), rows.end(),
                   [&](BodyRow a, BodyRow b) {
                     return std::pair(at(a, longest), a) < std::pair(at(b, longest), b);
                   });
  halve(world, rows.first(half), next);
  halve(world, rows.subspan(half), next);
}

}  // namespace

std::uint32_t first_zone(BodyRow row) { return 1 + (row - kFirstBody) / kZoneBodies; }

void choose_zones(RigidWorld& world, RigidScratch& scratch) {
  if (world.zoned_for < kLeastSteps) {
    ++world.zoned_for;
    return;
  }
  int contacts = 0;
  for (const ContactZone& zone : world.zones) contacts += contacts_of(zone);
  if (contacts < kLeastContacts) return;
  if (share_between(world, contacts) <= std::max(kMostBetween, kMostGrowth * world.between_left))
    return;
  world.zoned_for = 0;

  // Contacts are taken out under their old zones, and put back in the same order under new ones.
  scratch.todo.clear();
  for (const ContactZone& zone : world.zones)
    for_each_colour(zone, false, [&](int, const ContactColour& colour) {
      for (const auto& geometry : colour.geometry)
        for (const std::uint32_t contact : geometry.contact)
          if (contact != kNone) scratch.todo.push_back(contact);
    });
  std::sort(scratch.todo.begin(), scratch.todo.end());
  scratch.contents.clear();
  for (const std::uint32_t contact : scratch.todo)
    scratch.contents.push_back(take_from_graph(world, contact));
  scratch.stack.clear();
  for (const BodyRow row : world.awake)
    if (world.track[row].kind == BodyKind::kDynamic) scratch.stack.push_back(row);
  std::uint32_t next = kBetween + 1;
  halve(world, scratch.stack, next);
  for (std::size_t i = 0; i < scratch.todo.size(); ++i)
    add_to_graph(world, scratch.todo[i], scratch.contents[i]);
  world.between_left = share_between(world, contacts);
}

}  // namespace sinew
