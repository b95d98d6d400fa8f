"""Pictures and sounds of the web client, made with the standard library alone and with nothing from elsewhere."""
