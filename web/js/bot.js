/**
 * Bot: plays by itself when the address says `?bot=true`.
 */
const Bot = (() => {
    /** Begin to play. */
    function init() {
    }

    return {init};
})();
