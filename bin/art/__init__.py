"""Generates the pictures and sounds of the web client and the pictures of the rules, with the standard library only and no outside material."""
