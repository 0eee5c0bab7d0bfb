// A small body may hold a hundred thousand names, and parsing them blocks the event loop for half a second.

/** Whether the JSON text has more than about `most` names and values, estimated from its separators; invalid JSON gets an estimate, too. */
export function exceedsValueLimit(json: string, most: number): boolean {
  let between = 0
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '"') at = jsonStringEnd(json, at)
    else if ((character === ',' || character === ':') && ++between >= most) return true
  }
  return false
}

/** The index of the quote that ends the JSON string starting at `start`, or the length of the text. */
export function jsonStringEnd(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}
