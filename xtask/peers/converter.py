"""Times llama.cpp's own converter: {name: schema} on standard input, {name: median nanoseconds} on standard output.

    python converter.py LIBRARY ROUNDS

LIBRARY is converter.cpp, built; the Python must hold the module xllamacpp.
"""
import ctypes
import json
import os
import sys

# The library calls functions of the module, so these must be visible to it.
sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
import xllamacpp  # noqa: E402,F401

library = ctypes.CDLL(sys.argv[1])
library.median_conversion.restype = ctypes.c_double
library.median_conversion.argtypes = [ctypes.c_char_p, ctypes.c_int]
times = {}
for name, schema in json.load(sys.stdin).items():
    median = library.median_conversion(json.dumps(schema).encode(), int(sys.argv[2]))
    if median < 0:
        sys.exit(f"llama.cpp's converter gives no grammar for {name} ({median})")
    times[name] = median
json.dump(times, sys.stdout)
