/**
 * LobbyView.
 *
 * @type {View}
 */
const LobbyView = (() => ({
    name: 'lobby-view',
    isScaled: false,
    create() {
        return Lib.element('section');
    },
    render() {
    }
}))();
