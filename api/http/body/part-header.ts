// Reads the header of a multipart part: the name of its field, its file name and its declared type (RFC 7578).

export interface PartHeader {
  name: string | undefined
  /** `filename*` (RFC 8187) wins over `filename`, whichever comes first. */
  filename: string | undefined
  /** Media type in lower case, without parameters; undefined when the part declares none. */
  contentType: string | undefined
}

/** Values as Latin-1, by names in lower case. */
export type HeaderFields = Readonly<Record<string, readonly string[] | undefined>>

/** `; name="value"` or `; name=token`. */
const PARAMETER = /;[ \t]*([^\s;="]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\[^])*)"[ \t]*|([^;"]*))/gy
const EXTENDED = /^utf-8'[^']*'(.*)$/i

/** The header, or undefined unless it is one of a form. */
export function readPartHeader(fields: HeaderFields): PartHeader | undefined {
  const { value, parameters } = readValue(fields['content-disposition']?.[0] ?? '')
  if (value !== 'form-data') return undefined
  return {
    name: parameters.get('name'),
    filename: decodeExtended(parameters.get('filename*')) ?? parameters.get('filename'),
    contentType: readValue(fields['content-type']?.[0] ?? '').value || undefined,
  }
}

/** A field's value in lower case and the first of each of its parameters, as far as they are well-formed. */
export function readValue(field: string): { value: string; parameters: ReadonlyMap<string, string> } {
  const [start = ''] = field.split(';', 1)
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, token = ''] of field.slice(start.length).matchAll(PARAMETER)) {
    // Browsers send the backslashes of a name as they are: one only escapes a quote or another one.
    const value = quoted?.replaceAll(/\\(["\\])/g, '$1') ?? token.trim()
    const key = name.toLowerCase()
    if (!parameters.has(key)) parameters.set(key, Buffer.from(value, 'latin1').toString('utf8'))
  }
  return { value: start.trim().toLowerCase(), parameters }
}

function decodeExtended(value: string | undefined): string | undefined {
  const [, encoded] = EXTENDED.exec(value ?? '') ?? []
  if (encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined // not UTF-8; `filename` is the sender's fallback
  }
}
