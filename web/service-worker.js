/**
 * The service worker: keeps the files of the application, so that it starts at once and works offline.
 *
 * It never touches `/api` or `/ws`: only the server knows what happens at a table. The page is fetched first, and taken
 * from the cache without a network. All else that is kept has a name that changes with its content, and is never asked
 * for again.
 *
 * A cache holds one version: the page and all files that it names, those of every table included, so that one visit is
 * enough. The page is put into it last, so a cache with a page is whole. The version before loses its page and keeps
 * its files, for pages that are still open; what is older is deleted.
 */
/**
 * The events of a service worker, as far as they are used here.
 *
 * @typedef {Event & {request: Request, respondWith: (response: Promise<Response>) => void,
 *     waitUntil: (work: Promise<any>) => void}} WorkerEvent
 */

(() => {
    const _worker = /** @type {any} */ (self);
    /** How the names of the caches begin; the version follows. */
    const _CACHE = 'tisch-';
    const _PAGE = /^\/(?:index\.html|mine|replay\/.*)?$/;
    const _FILE = /^\/(?:css|js|images|sounds)\//;
    /** A file that the page names, with a hash of its content. */
    const _NAMED = /(?:src|href)="(\/[^"]+-[0-9a-f]{16}\.\w+)"/g;
    const _VERSION = /<html data-version="([0-9a-f]+)"/;

    /** @type {Promise<void>} Done when the version that was seen last is kept. */
    let _kept = Promise.resolve();

    /**
     * Keep the version of a page, one after the other.
     *
     * @param {Response} response - The page.
     * @returns {Promise<void>} Done when it is kept.
     */
    function _keep(response) {
        const keeping = _kept.then(() => _keepAll(response));
        _kept = keeping.catch(() => {});
        return keeping;
    }

    /** @param {Response} response - The page, which is kept with all files that it names. */
    async function _keepAll(response) {
        const page = await response.clone().text();
        const [, version] = _VERSION.exec(page) ?? [];
        if (!response.ok || version === undefined) {
            throw new Error(`The page cannot be kept: ${response.status}.`);
        }
        const name = _CACHE + version;
        const cache = await caches.open(name);
        if (await cache.match('/') !== undefined) {
            return;
        }
        await Promise.all(_files(page.replace(/<template[^]*?<\/template>/g, '')).map(file => _add(cache, file)));
        for (const file of _files(page)) {
            await _add(cache, file);
        }
        await cache.put('/', response);
        for (const other of (await caches.keys()).filter(each => each !== name)) {
            if (!await (await caches.open(other)).delete('/')) {
                await caches.delete(other);
            }
        }
    }

    /**
     * @param {string} page - A page.
     * @returns {string[]} The files that it names.
     */
    function _files(page) {
        return [...new Set([...page.matchAll(_NAMED)].map(([, file]) => file))];
    }

    /**
     * Put a file into a cache; the same name is the same file in every version.
     *
     * @param {Cache} cache - The cache.
     * @param {string} file - The file's address.
     */
    async function _add(cache, file) {
        const known = await caches.match(file);
        if (known === undefined) {
            await cache.add(file);
        }
        else if (await cache.match(file) === undefined) {
            await cache.put(file, known);
        }
    }

    /**
     * @param {WorkerEvent} event - The page is asked for.
     * @returns {Promise<Response>} The newest page, or the kept one without a network or behind a proxy that finds no
     *     server.
     */
    async function _page(event) {
        try {
            const response = await fetch(event.request);
            if (response.ok) {
                event.waitUntil(_keep(response.clone()).catch(() => {}));
            }
            return response.status < 500 ? response : await caches.match('/') ?? response;
        }
        catch {
            return await caches.match('/') ?? Response.error();
        }
    }

    /**
     * @param {Request} request - A file is asked for.
     * @returns {Promise<Response>} The kept one, or else the server's.
     */
    async function _file(request) {
        return await caches.match(request) ?? fetch(request);
    }

    /**
     * Show the table that a notification is about.
     *
     * @param {Event & {notification?: Notification}} event - The notification was tapped.
     */
    async function _show(event) {
        event.notification?.close();
        const [window] = await _worker.clients.matchAll({type: 'window', includeUncontrolled: true});
        await (window === undefined ? _worker.clients.openWindow('/') : window.focus());
    }

    _worker.addEventListener('install', (/** @type {WorkerEvent} */ event) => {
        event.waitUntil(fetch('/').then(_keep).then(() => _worker.skipWaiting()));
    });
    _worker.addEventListener('notificationclick', (/** @type {WorkerEvent} */ event) => {
        event.waitUntil(_show(event));
    });
    _worker.addEventListener('activate', (/** @type {WorkerEvent} */ event) => {
        event.waitUntil(_worker.clients.claim());
    });
    _worker.addEventListener('fetch', (/** @type {WorkerEvent} */ event) => {
        const {origin, pathname} = new URL(event.request.url);
        if (event.request.method !== 'GET' || origin !== _worker.location.origin) {
            return;
        }
        if (event.request.mode === 'navigate' && _PAGE.test(pathname)) {
            event.respondWith(_page(event));
        }
        else if (_FILE.test(pathname)) {
            event.respondWith(_file(event.request));
        }
    });
})();
