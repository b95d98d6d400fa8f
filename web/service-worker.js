/**
 * The service worker: keeps the files of the application, so that it starts at once and is there without a network.
 *
 * It never touches `/api` or `/ws`: what happens at a table is only known to the server. What the entrance needs is
 * kept as soon as the worker is there, so that one visit is enough. The page itself is asked for first and kept for
 * want of a network; joined files change their names with their content and are never asked for twice; everything else
 * is shown as it is kept and renewed behind.
 */
/**
 * What the browser hands to a service worker, as far as it is used here.
 *
 * @typedef {Event & {request: Request, respondWith: (response: Promise<Response>) => void,
 *     waitUntil: (work: Promise<any>) => void}} WorkerEvent
 */

(() => {
    const _worker = /** @type {any} */ (self);
    const _CACHE = 'tisch-1';
    const _ICONS = '/images/icons.svg';
    const _KEPT = /^\/(?:css|js|images|sounds)\/|^\/manifest\.webmanifest$/;
    const _JOINED = /\/bundle-[0-9a-f]+\.(?:js|css)$/;
    const _PAGE = /^\/(?:index\.html|replay\/.*)?$/;

    /**
     * @param {Request} request - What is asked for.
     * @param {string} key - As what it is kept.
     * @returns {Promise<Response>} What the server says, which is kept, too.
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
     * @returns {Promise<Response>} The newest page, or the kept one if there is no network.
     */
    async function _page(request) {
        try {
            const response = await _renew(request, '/');
            await _forget(await response.clone().text());
            return response;
        }
        catch {
            return await caches.match('/') ?? Response.error();
        }
    }

    /**
     * Forget the joined files that the page does not load any more.
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

    /** Keep the page and what the entrance needs: what the page names, but for what only a table does. */
    async function _keepEntrance() {
        const response = await fetch('/');
        if (!response.ok) {
            throw new Error(`The page cannot be kept: ${response.status}.`);
        }
        const page = await response.clone().text();
        const entrance = page.replace(/<template[^]*?<\/template>/g, '');
        const files = [...entrance.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file]) => file);
        const cache = await caches.open(_CACHE);
        await cache.addAll([...files, _ICONS]);
        await cache.put('/', response);
    }

    _worker.addEventListener('install', (/** @type {WorkerEvent} */ event) => {
        event.waitUntil(_keepEntrance().then(() => _worker.skipWaiting()));
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
