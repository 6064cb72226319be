"""What a result document must be, by the JSON Schema that is part of the project."""
import json
from pathlib import Path

import jsonschema

SCHEMA_FILE = Path(__file__).resolve().parents[2] / "src/report/pgload.run.schema.json"


def _strict(node):
    """Objects with listed keys have no others: a key that the schema does not know is not documented either."""
    if isinstance(node, dict):
        inner = {key: _strict(value) for key, value in node.items()}
        return {"additionalProperties": False, **inner} if "properties" in node and "type" in node else inner
    return [_strict(item) for item in node] if isinstance(node, list) else node


def violations(document):
    """Empty for a document as it should be, else a sentence each."""
    schema = json.loads(SCHEMA_FILE.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(_strict(schema))
    return [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(document)]
