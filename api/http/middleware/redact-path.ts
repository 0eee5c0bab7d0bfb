// Signing tokens are secrets, so logs and responses show them as ***: also in unknown paths and in absolute-form targets (RFC 9112, 3.2.2),
// because a mistyped link still contains its token.
const TOKEN_IN_PATH = /((?:\/|%2f)sign(?:\/|%2f)+)[^/]+/i
/** A segment that has the form of our tokens, anywhere in the path. */
const TOKEN = /(?<=\/|%2f)[\w-]{43}(?=\/|%2f|$)/gi

/** The path without query and signing token. */
export function redactPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.replace(TOKEN_IN_PATH, '$1***').replaceAll(TOKEN, '***')
}
