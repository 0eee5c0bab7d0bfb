// Normalises typed, scanned or pasted input to the API's format. Pure.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const UUID_IN_TEXT = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
// Decisions, `h` of verify: 16 bytes in base64url, or a SHA-256 in hex.
const CODE = /^[A-Za-z0-9_-]{22}$/
const SHA256 = /^[0-9a-f]{64}$/

/** A typed signature ID in the API's format, or undefined. Spaces and capitals are accepted. */
export function readSignatureId(text: string): string | undefined {
  const id = withoutSpaces(text).toLowerCase()
  return UUID.test(id) ? id : undefined
}

/** A typed verification code or SHA-256 in the API's format, or undefined. Spaces are accepted; a code is case-sensitive. */
export function readProof(text: string): string | undefined {
  const proof = withoutSpaces(text)
  if (CODE.test(proof)) return proof
  return SHA256.test(proof.toLowerCase()) ? proof.toLowerCase() : undefined
}

/** The verification that a link such as the one in a seal's QR code requests; undefined if either part is missing. */
export function readVerifyLink(search: string): { id: string; h: string } | undefined {
  const query = new URLSearchParams(search)
  const [id, h] = [query.get('id'), query.get('h')]
  return id && h ? { id, h } : undefined
}

/** Possible signature IDs in text from a PDF, where lines and words can be split anywhere. */
export function findSignatureIds(text: string): string[] {
  return [...new Set(withoutSpaces(text).toLowerCase().match(UUID_IN_TEXT))]
}

function withoutSpaces(text: string): string {
  return text.replace(/[\s\u200b\u00ad]/g, '')
}
