// The shaders of the picture, in GLSL ES 3.00. Light is computed in linear space and encoded last.
// Loops with a count of zero, rather than ifs, skip work: software drivers run both sides of an if.
#pragma once

namespace sinew {

// The same for everything in one picture. Mirrors FrameBlock in renderer.cpp.
inline constexpr char kShaderCommon[] = R"(#version 300 es
precision highp float;
precision highp sampler2DShadow;
layout(std140) uniform Frame {
  mat4 clip;           // world -> clip space
  mat4 shadow;         // world -> texture and depth of the shadow map, 0..1
  mat4 contact;        // world -> texture and height of the contact map, 0..1
  vec4 eye;
  vec4 to_light;
  vec4 up;
  vec4 checker;        // xyz: origin of the squares, w: their size
  vec4 shadow_metres;  // xy: of a whole map, z: of its depth, w: of one texel
  vec4 contact_metres; // likewise
  vec4 extent;         // x: radius of the scene, y: of the floor, z: height of the picture in
                       // pixels, w: of the widest soft edge
};
const mat2 kTurn = mat2(-0.7374, 0.6755, -0.6755, -0.7374);  // by the golden angle
)";

inline constexpr char kDepthVertex[] = R"(
layout(location = 0) in vec3 position;
uniform mat4 view;
void main() { gl_Position = view * vec4(position, 1.0); }
)";

inline constexpr char kDepthFragment[] = R"(
void main() {}
)";

inline constexpr char kBodyVertex[] = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
out vec3 at;
out vec3 smooth_normal;
out vec3 barycentric;
void main() {
  at = position;
  smooth_normal = normal;
  barycentric = vec3(equal(ivec3(gl_VertexID % 3), ivec3(0, 1, 2)));
  gl_Position = clip * vec4(position, 1.0);
}
)";

// One triangle that covers everything, behind all else.
inline constexpr char kScreenVertex[] = R"(
out vec2 across;  // 0..1
void main() {
  vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  across = 0.5 + 0.5 * p;
  gl_Position = vec4(p, 1.0, 1.0);
}
)";

// What may shade each place of the shadow map: in red the least depth nearby, in green the mean
// depth of what is there. Small, so that the search costs little.
inline constexpr char kBlockersFragment[] = R"(
uniform sampler2D depth;
in vec2 across;
out vec4 pixel;
void main() {
  const float kTaps = 48.0;
    vec2 radius = vec2(1.3 * extent.w) / shadow_metres.xy;
  vec2 turn = vec2(1.0, 0.0);
  float least = 1.0, sum = 0.0, count = 0.0;
  for (int i = 0; i < int(kTaps); ++i) {
    float d = texture(depth, across + turn * radius * sqrt((float(i) + 0.5) / kTaps)).r;
    turn = kTurn * turn;
    least = min(least, d);
    float there = step(d, 0.9999);
    sum += d * there;
    count += there;
  }
  pixel = vec4(least, count > 0.0 ? sum / count : 1.0, 0.0, 1.0);
}
)";

// How much of the sky each place of the first floor loses to what stands or hovers close above it.
inline constexpr char kContactsFragment[] = R"(
uniform sampler2D depth;  // heights above the floor
in vec2 across;
out vec4 pixel;
void main() {
  const float kTaps = 32.0;
    vec2 radius = vec2(0.22 * extent.x) / contact_metres.xy;
  vec2 turn = vec2(1.0, 0.0);
  float sum = 0.0, weights = 0.0;
  for (int i = 0; i < int(kTaps); ++i) {
    float r = sqrt((float(i) + 0.5) / kTaps);
    float height = texture(depth, across + turn * radius * r).r * contact_metres.z;
    turn = kTurn * turn;
    sum += exp(-height / (0.10 * extent.x)) * (1.0 - 0.6 * r);
    weights += 1.0 - 0.6 * r;
  }
  pixel = vec4(sum / weights);
}
)";

// Light, shadow and the colours of the surroundings.
inline constexpr char kShaderLight[] = R"(
uniform sampler2DShadow shadow_test;  // the shadow map
uniform sampler2D blockers;           // kBlockersFragment's
uniform sampler2D contacts;           // kContactsFragment's
out vec4 pixel;

const vec3 kKey = vec3(1.0, 0.96, 0.9) * 1.3;
const vec3 kSky = vec3(0.84, 0.91, 1.0) * 0.48;
const vec3 kBounce = vec3(0.62, 0.58, 0.54) * 0.34;

vec3 backdrop() {
  float height = gl_FragCoord.y / extent.z;
  return mix(vec3(0.70, 0.725, 0.75), vec3(0.36, 0.43, 0.51), smoothstep(0.25, 1.05, height));
}

vec3 encode(vec3 c) {
  vec3 over = max(c - 0.75, 0.0);  // highlights roll off instead of clipping
  c = min(c, 0.75) + 0.25 * over / (over + 0.25);
  // The sRGB curve by roots, within 1/255; pow is slow and coarse in software.
  vec3 r2 = sqrt(c), r4 = sqrt(r2), r8 = sqrt(r4);
  return 0.662002687 * r2 + 0.684122060 * r4 - 0.323583601 * r8 - 0.0225411470 * c;
}

vec3 hemisphere(vec3 n) { return mix(kBounce, kSky, 0.5 + 0.5 * dot(n, up.xyz)); }

// Noise without clumps, one value a pixel (J. Jimenez, "Next generation post processing in Call of
// Duty", 2014): it turns the steps of a soft edge into fine grain.
float grain() {
  return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
}

// How much of the key light arrives, 0..1. The further the blockers, the softer the edge
// (R. Fernando, "Percentage-closer soft shadows", 2005); what blocks was gathered beforehand.
float lit(vec3 p, vec3 n) {
  const float kLightSlope = 0.16;  // radius of the light over its distance
  const float kProbes = 6.0, kTaps = 24.0;
  vec3 q = (shadow * vec4(p + n * shadow_metres.w * 1.5, 1.0)).xyz;
  vec3 nl = mat3(shadow) * n * vec3(shadow_metres.xy, -shadow_metres.z);
  vec2 near = texture(blockers, q.xy).rg;
  bool inside = all(lessThan(abs(q.xy - 0.5), vec2(0.5)));
  bool open = !inside || nl.z <= 0.0 || near.r >= q.z;

  float gap = (q.z - near.g) * shadow_metres.z;
  vec2 radius = clamp(gap * kLightSlope, 2.0 * shadow_metres.w, extent.w) / shadow_metres.xy;
  // Depth follows the receiving plane across the samples, or they would shade each other.
  vec2 slope = nl.xy * shadow_metres.xy / (max(nl.z, 0.25) * shadow_metres.z);
  float angle = 6.2832 * grain();
  vec2 turn = vec2(cos(angle), sin(angle));
  float sum = 0.0, count = 0.0;
  // From the rim inwards; when the first few agree, the rest would too.
  float taps = open ? 0.0 : kProbes;
  while (count < taps) {
    vec2 offset = turn * radius * sqrt(1.0 - (count + 0.5) / kTaps);
    float z = clamp(q.z + dot(slope, offset) - 0.001, 0.0, 0.9999);
    sum += texture(shadow_test, vec3(q.xy + offset, z));
    turn = kTurn * turn;
    count += 1.0;
    taps = count == kProbes && sum > 0.0 && sum < kProbes ? kTaps : taps;
  }
  return open ? 1.0 : sum / count;
}
)";

inline constexpr char kBackdropFragment[] = R"(
void main() { pixel = vec4(encode(backdrop()), 1.0); }
)";

// Thin lines along the triangles' edges, fading where the mesh is too fine to be seen.
inline constexpr char kShaderWire[] = R"(
in vec3 at;
in vec3 smooth_normal;
in vec3 barycentric;
uniform vec3 colour;  // linear
uniform float wire;

float line() {
  vec3 width = fwidth(barycentric);
  vec3 on = 1.0 - smoothstep(0.35 * width, 1.25 * width, barycentric);
  on *= 1.0 - smoothstep(0.1, 0.3, width);
  return wire * max(on.x, max(on.y, on.z));
}

// Of the flat triangle, facing the eye: shadows on coarse meshes need it.
vec3 flat_normal() { return normalize(cross(dFdx(at), dFdy(at))); }
)";

inline constexpr char kMatteFragment[] = R"(
void main() {
  vec3 n = normalize(gl_FrontFacing ? smooth_normal : -smooth_normal);
  vec3 v = normalize(eye.xyz - at);
  vec3 l = to_light.xyz;
  vec3 h = normalize(l + v);
  float key = max(dot(n, l), 0.0) * lit(at, flat_normal());
  float rim = pow(1.0 - max(dot(n, v), 0.0), 5.0);
  vec3 c = colour * (hemisphere(n) + kKey * key);
  c += kKey * key * 0.10 * pow(max(dot(n, h), 0.0), 28.0) + kSky * rim * 0.12;
  c *= 1.0 - 0.30 * line();
  pixel = vec4(encode(c), 1.0);
}
)";

inline constexpr char kJellyFragment[] = R"(
void main() {
  vec3 n = normalize(gl_FrontFacing ? smooth_normal : -smooth_normal);
  vec3 v = normalize(eye.xyz - at);
  vec3 l = to_light.xyz;
  vec3 h = normalize(l + v);
  float nl = dot(n, l), nv = max(dot(n, v), 0.0);
  float light = lit(at, flat_normal());
  // Light wraps round the body and seeps through it towards the eye.
  float wrapped = max((nl + 0.45) / 1.45, 0.0);
  wrapped *= mix(1.0, 0.3 + 0.7 * light, smoothstep(0.0, 0.3, nl));
  float through = pow(max(dot(v, -normalize(l + 0.5 * n)), 0.0), 2.0);
  vec3 deep = colour * colour;
  vec3 c = colour * (hemisphere(n) * 0.92 + kKey * wrapped * 0.9) + deep * through * 0.35;
  // Schlick's Fresnel term weighs the reflected surroundings.
  float fresnel = 0.04 + 0.96 * pow(1.0 - nv, 5.0);
  vec3 r = reflect(-v, n);
  vec3 seen = mix(kBounce, kSky * 1.5, smoothstep(-0.1, 0.5, dot(r, up.xyz)));
  c = mix(c, seen, fresnel * 0.55) + colour * 0.22 * pow(1.0 - nv, 2.5);
  c += kKey * light * smoothstep(0.0, 0.1, nl) * (0.55 * pow(max(dot(n, h), 0.0), 90.0) +
                                       0.10 * pow(max(dot(n, h), 0.0), 14.0));
  c *= 1.0 - 0.24 * line();
  pixel = vec4(encode(c), 1.0);
}
)";

// Squares of one cell, averaged over the pixel's footprint (I. Quilez, "Filtering procedural
// textures"), laid on whichever axis plane the surface faces most.
inline constexpr char kFloorFragment[] = R"(
uniform float on_contact_floor;  // 1 there, else 0
uniform float fades;             // 1 when it goes on for ever, else 0

float squares(vec2 p, vec2 w) {
  vec2 from = abs(fract((p - 0.5 * w) * 0.5) - 0.5), to = abs(fract((p + 0.5 * w) * 0.5) - 0.5);
  vec2 i = 2.0 * (from - to) / w;
  return 0.5 - 0.5 * i.x * i.y;
}

void main() {
  vec3 n = normalize(smooth_normal);
  vec3 p = (at - checker.xyz) / checker.w;
  vec3 a = abs(n);
  vec2 uv = a.y >= max(a.x, a.z) ? p.xz : a.x >= a.z ? p.yz : p.xy;
  vec2 w = max(fwidth(uv), 1e-4);
  float contrast = 1.0 - smoothstep(0.3, 1.0, max(w.x, w.y));
  float tone = mix(0.5, squares(uv, w), contrast);
  vec3 albedo = mix(vec3(0.585, 0.595, 0.605), vec3(0.70, 0.705, 0.71), tone);
  float key = max(dot(n, to_light.xyz), 0.0) * lit(at, n);
  vec2 above = (contact * vec4(at, 1.0)).xy;
  float open = 1.0 - 0.75 * on_contact_floor * texture(contacts, above).r;
  vec3 c = albedo * (hemisphere(n) * open + kKey * key * 0.72);
  float far = length(at) / extent.y;
  c = mix(c, backdrop(), fades * smoothstep(0.15, 1.0, far));
  pixel = vec4(encode(c), 1.0);
}
)";

}  // namespace sinew
