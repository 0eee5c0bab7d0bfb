// Signing tokens are secrets that stand in paths: whatever is logged or answered shows them as ***. Also where the path leads nowhere, or comes
// with its host (absolute-form, RFC 9112, 3.2.2): a link that was mistyped still has its token.
const TOKEN_IN_PATH = /((?:\/|%2f)sign(?:\/|%2f)+)[^/]+/i
/** Whatever the rest of the path is: a segment of the form that our tokens have. */
const TOKEN = /(?<=\/|%2f)[\w-]{43}(?=\/|%2f|$)/gi

/** The path without its query and without a signing token. */
export function redactPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.replace(TOKEN_IN_PATH, '$1***').replaceAll(TOKEN, '***')
}
