/**
 * ConnectionBanner: the strip above the table that reports a lost connection, or that the AI plays for us.
 */
const ConnectionBanner = (() => {
    let _ticking = 0;

    /** Subscribe to the events that it reports. */
    function init() {
        EventBus.on('network:cut', ({heldUntil}) => {
            window.clearInterval(_ticking);
            _ticking = window.setInterval(_tellCut, 250, heldUntil);
            _tellCut(heldUntil);
        });
        EventBus.on('network:close', hide);
        EventBus.on('app:state', snapshot => {
            const wasCut = _ticking !== 0;
            hide();
            if (wasCut) {
                Lib.toast(Texts.get('cut.back'));
            }
            if (snapshot.public_state.presences[snapshot.me] === 'away') {
                _tellAway();
            }
        });
    }

    /** @param {number} heldUntil - Until when the seat is held, by the page's clock. */
    function _tellCut(heldUntil) {
        const seconds = Math.ceil((heldUntil - performance.now()) / 1000);
        // Screen readers announce it once, not every second.
        _show(seconds > 0 ? Texts.get('cut.held', {seconds}) : Texts.get('cut.trying'), 'off');
    }

    /** Say that the AI plays, and offer to take over. */
    function _tellAway() {
        _show(Texts.get('away'), 'polite').append(Lib.element('button', {
            type: 'button', class: 'button main', text: Texts.get('away.return'),
            on: {click: () => EventBus.emit('tableView:return')}
        }));
    }

    /**
     * @param {string} text - The message.
     * @param {'off' | 'polite'} live - Is each change read out?
     * @returns {HTMLElement} The banner.
     */
    function _show(text, live) {
        const banner = Lib.byId('banner');
        if (banner.hidden && live === 'off') {
            Lib.announce(text);
        }
        banner.setAttribute('aria-live', live);
        banner.hidden = false;
        banner.replaceChildren(Lib.element('span', {text}));
        return banner;
    }

    /** Hide the banner. */
    function hide() {
        window.clearInterval(_ticking);
        _ticking = 0;
        Lib.byId('banner').hidden = true;
    }

    return {init, hide};
})();
