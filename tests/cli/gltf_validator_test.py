"""Recordings against the Khronos validator: gltf_validator_test.py FOLDER.

FOLDER is where npm installed gltf-validator (SINEW_NODE_MODULES_DIR, if set, instead). Exits with
77 when node or the package is not there.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from cli_testing import SCENES, SINEW, TIMEOUT

SKIPPED = 77


def main():
    modules = os.environ.get("SINEW_NODE_MODULES_DIR") or sys.argv[1]
    if not shutil.which("node"):
        print("skipped: node is not installed")
        return SKIPPED
    if not (pathlib.Path(modules) / "node_modules/gltf-validator").is_dir():
        print(f"skipped: npm install --prefix {modules} gltf-validator")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="sinew_gltf_") as folder:
        files = []
        for scene in ("hello", "obstacles"):
            files.append(f"{folder}/{scene}.glb")
            subprocess.run([SINEW, "run", SCENES / f"{scene}.json", "--seconds", "0.5", "--quiet",
                            "--record", files[-1]], check=True, timeout=TIMEOUT)
        validate = SCENES.parent / "tests/tools/validate_glb.mjs"
        return subprocess.run(["node", validate, modules, *files], timeout=TIMEOUT).returncode


if __name__ == "__main__":
    sys.exit(main())
