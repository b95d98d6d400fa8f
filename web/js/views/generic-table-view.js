/**
 * GenericTableView.
 *
 * @type {View}
 */
const GenericTableView = (() => ({
    name: 'generic-table-view',
    isScaled: false,
    create() {
        return Lib.element('section');
    },
    render() {
    }
}))();
