// A certificate's subject or issuer (RFC 4514) for display: the common name, and the organisation if it differs. Pure.

/** The whole text if it has no common name. */
export function certificateName(distinguishedName: string): string {
  const commonName = valueIn(distinguishedName, COMMON_NAME)
  const organisation = valueIn(distinguishedName, ORGANISATION)
  if (!commonName) return distinguishedName
  return organisation && organisation !== commonName ? `${commonName} (${organisation})` : commonName
}

// A comma within a value is escaped by a backslash.
const COMMON_NAME = /(?:^|,)\s*CN=((?:[^,\\]|\\.)*)/
const ORGANISATION = /(?:^|,)\s*O=((?:[^,\\]|\\.)*)/

function valueIn(distinguishedName: string, attribute: RegExp): string | undefined {
  return attribute.exec(distinguishedName)?.[1]?.replaceAll(/\\(.)/g, '$1')
}
