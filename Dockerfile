# The live server in a container, from wheels in dist/: docs/operating.md tells how it is run.
FROM python:3.13-slim

RUN --mount=type=bind,source=dist,target=/dist \
    export PIP_NO_CACHE_DIR=1 PIP_ONLY_BINARY=:all: PIP_ROOT_USER_ACTION=ignore \
    && pip install --no-index --no-deps --find-links /dist tisch \
    && pip install 'tisch[brotli]' \
    && useradd --system --create-home --home-dir /data tisch

USER tisch
VOLUME /data
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://localhost:8765/readyz')"]
ENTRYPOINT ["tisch"]
CMD ["serve", "--host", "0.0.0.0", "--data", "/data"]
