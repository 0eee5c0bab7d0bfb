/** The place of the quote that ends the text which begins at `start` in JSON, or the end of all. */
export function jsonStringEnd(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}
