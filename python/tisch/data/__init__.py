"""Datasets for learning: every decision of recorded games as a row of a Parquet file."""
