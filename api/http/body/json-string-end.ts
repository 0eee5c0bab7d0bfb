/** The index of the quote that ends the JSON string starting at `start`, or the length of the text. */
export function jsonStringEnd(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}
