#!/usr/bin/python3
"""Checks scenes/*.json against docs/scene.schema.json, and the schema against the reader.

Scenes must follow the schema. Of tests/data/broken_scenes.json the schema must refuse what the
reader refuses (a unit test holds the reader to the same list) and accept the rest.
Prints one line for each failure; exit code 1 if there is any. Needs python3-jsonschema.
"""
import json
import pathlib
import sys

import jsonschema


def pointer(path):
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in path)


def problems(root):
    schema = json.loads((root / "docs/scene.schema.json").read_text(encoding="utf-8"))
    validator_class = jsonschema.validators.validator_for(schema)
    try:
        validator_class.check_schema(schema)
    except jsonschema.SchemaError as error:
        yield f"docs/scene.schema.json: {pointer(error.path)}: {error.message}"
        return
    validator = validator_class(schema)

    scenes = sorted((root / "scenes").glob("*.json"))
    if not scenes:
        yield "scenes: no scene there"
    for path in scenes:
        for error in validator.iter_errors(json.loads(path.read_text(encoding="utf-8"))):
            yield f"{path.relative_to(root)}: {pointer(error.absolute_path) or '/'}: {error.message}"

    cases = json.loads((root / "tests/data/broken_scenes.json").read_text(encoding="utf-8"))
    for case in cases:
        label = f"tests/data/broken_scenes.json: \"{case['name']}\""
        errors = list(validator.iter_errors(case["scene"]))
        if case["pointer"] is None:
            for error in errors:
                yield f"{label}: is sound, but the schema refuses it: {error.message}"
        elif not errors:
            yield f"{label}: is broken at {case['pointer']}, but the schema accepts it"
        elif not any(case["pointer"].startswith(pointer(e.absolute_path)) for e in errors):
            places = ", ".join(pointer(e.absolute_path) or "/" for e in errors)
            yield f"{label}: is broken at {case['pointer']}, but the schema complains at {places}"


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    failures = list(problems(root))
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
