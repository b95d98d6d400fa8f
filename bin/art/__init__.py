"""Generates the pictures and sounds of the web client and the pictures of the rules: no outside material is used."""
