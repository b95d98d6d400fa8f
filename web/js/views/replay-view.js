/**
 * ReplayView.
 *
 * @type {View}
 */
const ReplayView = (() => ({
    name: 'replay-view',
    isScaled: false,
    create() {
        return Lib.element('section');
    },
    render() {
    }
}))();
