/**
 * The service worker: caches the files of the application, so that it starts at once and works offline.
 *
 * It never touches `/api` or `/ws`: only the server knows what happens at a table. It caches the files of the entrance
 * and of all tables when it is installed, so that one visit is enough. The page is fetched first, and taken from the
 * cache without a network; bundles change their names with their content and are fetched once; everything else is
 * served from the cache and renewed in the background.
 */
/**
 * The events of a service worker, as far as they are used here.
 *
 * @typedef {Event & {request: Request, respondWith: (response: Promise<Response>) => void,
 *     waitUntil: (work: Promise<any>) => void}} WorkerEvent
 */

(() => {
    const _worker = /** @type {any} */ (self);
    const _CACHE = 'tisch-1';
    const _PICTURES = ['/images/icons.svg', '/images/games.svg'];
    const _KEPT = /^\/(?:css|js|images|sounds)\/|^\/manifest\.webmanifest$/;
    const _JOINED = /\/bundle-[0-9a-f]+\.(?:js|css)$/;
    const _PAGE = /^\/(?:index\.html|replay\/.*)?$/;

    /**
     * @param {Request} request - The request.
     * @param {string} key - The cache key.
     * @returns {Promise<Response>} The server's response, which is also cached.
     */
    async function _renew(request, key) {
        const response = await fetch(request);
        if (response.ok) {
            const cache = await caches.open(_CACHE);
            await cache.put(key, response.clone());
        }
        return response;
    }

    /**
     * @param {Request} request - The page is asked for.
     * @returns {Promise<Response>} The newest page, or the cached one without a network or behind a proxy that finds no
     *     server.
     */
    async function _page(request) {
        try {
            const response = await _renew(request, '/');
            if (response.ok) {
                await _forget(await response.clone().text());
            }
            return response.status < 500 ? response : await caches.match('/') ?? response;
        }
        catch {
            return await caches.match('/') ?? Response.error();
        }
    }

    /**
     * Delete bundles that the page no longer loads.
     *
     * @param {string} page - The page.
     */
    async function _forget(page) {
        const cache = await caches.open(_CACHE);
        for (const {url} of await cache.keys()) {
            const {pathname} = new URL(url);
            if (_JOINED.test(pathname) && !page.includes(pathname)) {
                await cache.delete(url);
            }
        }
    }

    /**
     * @param {WorkerEvent} event - A file is asked for.
     * @param {string} pathname - Its address.
     * @returns {Promise<Response>} The file.
     */
    async function _file(event, pathname) {
        const kept = await caches.match(pathname);
        if (kept === undefined) {
            return _renew(event.request, pathname);
        }
        if (!_JOINED.test(pathname)) {
            event.waitUntil(_renew(event.request, pathname).catch(() => {}));
        }
        return kept;
    }

    /** Cache the page and all files that it names; those of the tables, which are in templates, one after the other. */
    async function _keepAll() {
        const response = await fetch('/');
        if (!response.ok) {
            throw new Error(`The page cannot be kept: ${response.status}.`);
        }
        const page = await response.clone().text();
        const files = (/** @type {string} */ part) => (
            [...part.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file]) => file));
        const entrance = files(page.replace(/<template[^]*?<\/template>/g, ''));
        const cache = await caches.open(_CACHE);
        await cache.addAll([...new Set([...entrance, ..._PICTURES])]);
        await cache.put('/', response);
        for (const file of new Set(files(page))) {
            if (await cache.match(file) === undefined) {
                await cache.add(file);
            }
        }
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
        event.waitUntil(_keepAll().then(() => _worker.skipWaiting()));
    });
    _worker.addEventListener('notificationclick', (/** @type {WorkerEvent} */ event) => {
        event.waitUntil(_show(event));
    });
    _worker.addEventListener('activate', (/** @type {WorkerEvent} */ event) => {
        event.waitUntil(caches.keys()
            .then(names => Promise.all(names.filter(name => name !== _CACHE).map(name => caches.delete(name))))
            .then(() => _worker.clients.claim()));
    });
    _worker.addEventListener('fetch', (/** @type {WorkerEvent} */ event) => {
        const {origin, pathname} = new URL(event.request.url);
        if (event.request.method !== 'GET' || origin !== _worker.location.origin) {
            return;
        }
        if (event.request.mode === 'navigate' && _PAGE.test(pathname)) {
            event.respondWith(_page(event.request));
        }
        else if (_KEPT.test(pathname)) {
            event.respondWith(_file(event, pathname));
        }
    });
})();
