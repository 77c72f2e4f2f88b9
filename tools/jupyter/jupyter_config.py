# JupyterLab as `make lab` and `make formgrader` start it: without warnings nobody here can act on.

import logging
from pathlib import Path

# That a notebook was run by somebody else is no news to its reader, and changes nothing on the page.
logging.getLogger("ServerApp").addFilter(lambda record: "is not trusted" not in record.getMessage())

# What notebook and kernel say to each other is encrypted, also on a machine with other users.
c.KernelManager.transport_encryption = "auto"  # noqa: F821 (given by the reader of this file)
# A browser on the same machine needs no pings to be kept: at the server's own settings it warns of
# them at the start, and with a shorter wait it takes a sleepy browser for a lost one.
c.ServerApp.tornado_settings = {"ws_ping_interval": 0}  # noqa: F821
# The formgrader would show its settings for debugging, and warns that it cannot.
c.FormgradeExtension.debug = False  # noqa: F821
# Pictures with the texts that tell what they show, and more.
c.LabApp.extra_labextensions_path = [str(Path(__file__).parent / "labextensions")]  # noqa: F821
