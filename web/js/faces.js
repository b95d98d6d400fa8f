/**
 * Faces: shows the words by which games name their cards, tiles and colours as people know them: `H10` as ♥ 10.
 *
 * It knows words, not games: a word that it does not know is shown as it is.
 */
const Faces = (() => {
    /** @typedef {{value: string, sign: string, tone: string, name: string}} Face */

    /** The suits of the French deck by their German initials. @type {{[letter: string]: [string, string]}} */
    const _SUITS = {K: ['♣', 'dark'], P: ['♠', 'dark'], H: ['♥', 'red'], X: ['♦', 'red']};

    /** @type {{[name: string]: string}} */
    const _TONES = {BLACK: 'dark', RED: 'red', YELLOW: 'yellow', BLUE: 'blue'};

    /**
     * Find the face of a word.
     *
     * @param {string} word - The word.
     * @returns {Face | null} Its face; null if it is no card, tile or colour.
     */
    function of(word) {
        const card = /^([KPHX])(7|8|9|10|B|D|K|A)$/.exec(word);
        if (card !== null) {
            const [, letter, rank] = card;
            const [sign, tone] = _SUITS[letter];
            const value = Texts.get(`rank.${rank}`);
            return {value, sign, tone, name: `${Texts.get(`suit.${letter}`)} ${Texts.get(`rank_name.${rank}`)}`};
        }
        const tile = /^(\d+):([A-Z]+)$/.exec(word);
        if (tile !== null && _TONES[tile[2]] !== undefined) {
            const [, number, colour] = tile;
            return number === '0'
                ? {value: '★', sign: '', tone: 'dark', name: Texts.get('tile.joker')}
                : {value: number, sign: '●', tone: _TONES[colour], name: `${Texts.get(`colour.${colour}`)} ${number}`};
        }
        return null;
    }

    /**
     * Where a word belongs among others: cards by suit and rank, tiles by colour and number, others last.
     *
     * @param {string} word - The word.
     * @returns {number} The lower, the further left.
     */
    function order(word) {
        const card = /^([KPHX])(7|8|9|10|B|D|K|A)$/.exec(word);
        if (card !== null) {
            return 'KHPX'.indexOf(card[1]) * 20 + ['7', '8', '9', '10', 'B', 'D', 'K', 'A'].indexOf(card[2]);
        }
        const tile = /^(\d+):([A-Z]+)$/.exec(word);
        return tile === null ? 1000 : Object.keys(_TONES).indexOf(tile[2]) * 20 + Number(tile[1]);
    }

    /**
     * Find the sign of a suit's letter.
     *
     * @param {string} letter - The letter.
     * @returns {string} The sign with the suit's name; the letter itself if it is no suit.
     */
    function suit(letter) {
        return letter in _SUITS ? `${_SUITS[letter][0]} ${Texts.get(`suit.${letter}`)}` : letter;
    }

    /**
     * Write a word for people.
     *
     * @param {string} word - A card, a tile, or any word.
     * @returns {string} The word as it is read.
     */
    function text(word) {
        const face = of(word);
        if (face === null) {
            return Texts.has(`word.${word}`) ? Texts.get(`word.${word}`) : suit(word);
        }
        return face.sign === '●' || face.sign === '' ? face.name : `${face.sign} ${face.value}`;
    }

    /**
     * Draw a word as a card.
     *
     * @param {string} word - The word.
     * @param {(() => void) | null} [act] - What happens when it is tapped; without it, it is only looked at.
     * @param {string} [label] - What tapping means, for those who do not see it.
     * @returns {HTMLElement} The card.
     */
    function draw(word, act = null, label = '') {
        const face = of(word);
        const shown = face ?? {value: text(word), sign: '', tone: 'plain', name: text(word)};
        const content = [
            Lib.element('b', {text: shown.value, 'aria-hidden': 'true'}),
            Lib.element('i', {text: shown.sign, 'aria-hidden': 'true'})
        ];
        const attributes = {class: `chip ${shown.tone}`, dataset: {word}};
        if (act !== null) {
            return Lib.element('button', {
                ...attributes, type: 'button', 'aria-label': label === '' ? shown.name : label, on: {click: act}
            }, ...content);
        }
        return Lib.element('span', attributes,
            ...content, Lib.element('span', {class: 'visually-hidden', text: shown.name}));
    }

    return {of, order, suit, text, draw};
})();
