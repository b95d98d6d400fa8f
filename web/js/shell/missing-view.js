/**
 * MissingView: says that there is nothing at an address, and leads to the entrance.
 *
 * @type {View}
 */
const MissingView = (() => {
    /** @type {{title: string, text: string}} What is missing: the keys of its texts. */
    let _keys = {title: 'missing.title', text: 'missing.text'};

    return {
        name: 'missing-view',
        create() {
            return Lib.element('section', {class: 'missing', 'aria-labelledby': 'missing-title'},
                Lib.element('h1', {id: 'missing-title'}), Lib.element('p'),
                Lib.element('a', {class: 'button main', href: '/'}));
        },
        /** @param {{title: string, text: string} | undefined} keys - What is missing: the keys of its texts. */
        show(keys) {
            _keys = keys ?? _keys;
        },
        render() {
            const [title, text, home] = Lib.byId('missing-view').children;
            title.textContent = Texts.get(_keys.title);
            text.textContent = Texts.get(_keys.text);
            home.textContent = Texts.get('missing.home');
            document.title = `tisch · ${title.textContent}`;
        }
    };
})();
