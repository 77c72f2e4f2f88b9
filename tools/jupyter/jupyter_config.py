# JupyterLab as `make lab` and `make formgrader` start it: without warnings nobody here can act on.

# What notebook and kernel say to each other is encrypted, also on a machine with other users.
c.KernelManager.transport_encryption = "auto"  # noqa: F821 (given by the reader of this file)
# The server's own default is longer than the interval between pings, which it then warns about.
c.ServerApp.tornado_settings = {"ws_ping_timeout": 30_000}  # noqa: F821
# The formgrader would show its settings for debugging, and warns that it cannot.
c.FormgradeExtension.debug = False  # noqa: F821
