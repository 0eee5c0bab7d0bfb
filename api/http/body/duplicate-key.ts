// Which of two values of one name counts is anybody's guess (RFC 8259, 4): a proxy may check the first and we store the last. So none does.
import { jsonStringEnd } from './json-string-end.ts'

/** The first name that an object in this valid JSON text has twice, or undefined. Names are compared as they read, however they are escaped. */
export function findDuplicateKey(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [] // the names of an object; undefined for an array
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '{') open.push(new Set())
    else if (character === '[') open.push(undefined)
    else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const end = jsonStringEnd(json, at)
      const repeated = isName(json, end) ? addName(open.at(-1), json.slice(at, end + 1)) : undefined
      if (repeated !== undefined) return repeated
      at = end
    }
  }
  return undefined
}

function isName(json: string, end: number): boolean {
  let at = end + 1
  while (' \t\r\n'.includes(json[at] ?? ':')) at++
  return json[at] === ':'
}

/** The name when the object has it already. */
function addName(names: Set<string> | undefined, quoted: string): string | undefined {
  const name: unknown = JSON.parse(quoted)
  if (!names || typeof name !== 'string') return undefined
  if (names.has(name)) return name
  names.add(name)
  return undefined
}
