// A certificate's subject or issuer (RFC 4514) for display: the common name, and the organisation if it differs. Pure.

/** The whole text if it has no common name. */
export function certificateName(distinguishedName: string): string {
  const commonName = attributeOf(distinguishedName, 'CN')
  const organisation = attributeOf(distinguishedName, 'O')
  if (!commonName) return distinguishedName
  return organisation && organisation !== commonName ? `${commonName} (${organisation})` : commonName
}

function attributeOf(distinguishedName: string, type: 'CN' | 'O'): string | undefined {
  // A comma within a value is escaped by a backslash.
  const value = new RegExp(`(?:^|,)\\s*${type}=((?:[^,\\\\]|\\\\.)*)`).exec(distinguishedName)?.[1]
  return value?.replaceAll(/\\(.)/g, '$1')
}
