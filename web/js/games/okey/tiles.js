/**
 * Tiles: how the tiles of Okey are named and drawn. A tile is a text as the server writes it, such as `7:RED`; the
 * joker is 0 of whatever colour.
 */
const Tiles = (() => {
    const _JOKER = '0';

    /**
     * Name a tile as people say it.
     *
     * @param {string} word - The tile; any other word is returned as it is.
     * @returns {string} The name in the user's language.
     */
    function text(word) {
        const [, number, colour] = /^(\d+):([A-Z]+)$/.exec(word) ?? [];
        if (number === undefined) {
            return word;
        }
        return number === _JOKER
            ? Words.get('cards', 'joker') : `${Words.get('cards', `colour.${colour}`)} ${number}`;
    }

    /**
     * Draw a tile.
     *
     * @param {string | null} word - The tile; null is its back.
     * @returns {SVGSVGElement} The picture; its size is the style sheet's business.
     */
    function draw(word) {
        const [number, colour] = (word ?? '').toLowerCase().split(':');
        const picture = word === null ? 'tile-back' : number === _JOKER ? 'tile-joker' : `tile-${number}-${colour}`;
        return Lib.drawing('svg', {class: 'tile-picture', viewBox: '0 0 70 100', 'aria-hidden': 'true'},
            Lib.drawing('use', {href: Lib.symbol(picture, '/images/tiles.svg')}));
    }

    return {text, draw};
})();
