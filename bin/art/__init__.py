"""Generates the pictures and sounds of the web client, with the standard library only and no outside material."""
