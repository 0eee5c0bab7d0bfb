// What is small in bytes may still be a hundred thousand names, which take the event loop half a second to read: no one waits for that.
import { jsonStringEnd } from './json-string-end.ts'

/** Whether the JSON text has more than about `most` names and values, told by what stands between them; of a text that is no JSON, a guess. */
export function exceedsValueLimit(json: string, most: number): boolean {
  let between = 0
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '"') at = jsonStringEnd(json, at)
    else if ((character === ',' || character === ':') && ++between >= most) return true
  }
  return false
}
