// Annotations with which a person decides what the controller must not decide. The controller removes them once they are handled.

/** On a WebhookSubscription: the id of the orphaned webhook that it continues. */
export const ADOPT = 'sealwright.io/adopt'
/** On an object that disagrees with its row: which of the two counts, as a `Resolution`. */
export const RESOLVE = 'sealwright.io/resolve'
export type Resolution = 'from-row' | 'from-object'
