// The format of an object's key. Keys consist of ids and hashes, never of names that people chose, so a strict format costs nothing and rules out
// traversal, escapes in URLs and clashes on case-insensitive file systems.

const KEY = /^[a-z0-9][a-z0-9._-]{0,127}(\/[a-z0-9][a-z0-9._-]{0,127}){0,7}$/

/** Throws when `key` is not one to eight segments of lower-case letters, digits, `.`, `_` and `-` that begin with a letter or digit. NOTE: a key must
 *  not be another key's folder (`a` beside `a/b`): file systems cannot hold both. */
export function assertObjectKey(key: string): void {
  if (!KEY.test(key)) throw new TypeError(`Not an object key: ${JSON.stringify(key.slice(0, 200))}`)
}
