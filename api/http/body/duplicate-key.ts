// Parsers disagree about which duplicate key wins (RFC 8259, 4): a proxy might check the first while we store the last. So duplicates are
// rejected.
import { jsonStringEnd } from './json-value-limit.ts'

/** The first duplicate key of an object in this valid JSON text, or undefined. Keys are compared after unescaping. */
export function findDuplicateKey(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [] // the keys of an object; undefined for an array
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

/** The key when the object already has it. */
function addName(names: Set<string> | undefined, quoted: string): string | undefined {
  const name: unknown = JSON.parse(quoted)
  if (!names || typeof name !== 'string') return undefined
  if (names.has(name)) return name
  names.add(name)
  return undefined
}
