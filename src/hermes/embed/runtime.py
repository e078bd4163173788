"""onnxruntime, told to tell nobody.

From 1.29 on it reports what it runs to its maker, and keeps an id of the machine in the user's
cache, unless it is forbidden to before it is imported. So it is imported here and nowhere else.
"""

import os

for _switch in ("ORT_DISABLE_TELEMETRY", "ORT_TELEMETRY_DISABLED"):  # the name has changed once
    os.environ[_switch] = "1"

import onnxruntime  # noqa: E402 - after the above

__all__ = ["onnxruntime"]
