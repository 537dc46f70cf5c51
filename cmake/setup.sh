# Sourced by ./run and ./test: installs what is missing and builds. Works from any folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# packages GROUP...: those that cmake/packages.txt names in these groups; all, if none is given.
packages() {
  awk -v wanted=" $* " '/^\[/ { on = wanted == "  " || index(wanted, " " substr($0, 2, length - 2) " "); next }
    on && NF && !/^#/' cmake/packages.txt
}

# install_missing GROUP...: installs the packages of these groups that are not there yet. A tool that is on the
# PATH already (a newer cmake or node, say) counts as installed. SINEW_NO_INSTALL=1 skips all this, for systems
# that have the libraries under other names.
install_missing() {
  [ -z "${SINEW_NO_INSTALL:-}" ] || return 0
  local package missing=()
  for package in $(packages "$@"); do
    case "$package" in
      cmake|python3) command -v "$package" >/dev/null && continue ;;
      npm) command -v npm >/dev/null && continue ;;
      nodejs) command -v node >/dev/null && continue ;;
      ninja-build) command -v ninja >/dev/null && continue ;;
    esac
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  if ! command -v apt-get >/dev/null; then
    echo "Sinew needs these packages (their Debian names), and there is no apt-get to install them:" >&2
    printf '  %s\n' "${missing[@]}" >&2
    exit 1
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "Sinew needs these packages; install them as root: apt-get install ${missing[*]}" >&2
      exit 1
    }
    as_root=(sudo)
  fi
  echo "Installing: ${missing[*]}" >&2
  "${as_root[@]}" apt-get update -qq >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# What to tell CMake beyond the preset.
configure_options=()

# build PRESET [TARGET...]: its progress goes to standard error.
build() {
  local preset=$1 target=()
  shift
  [ $# -gt 0 ] && target=(--target "$@")
  cmake --preset "$preset" -Wno-dev "${configure_options[@]}" >/dev/null
  cmake --build --preset "$preset" "${target[@]}" >&2
}
