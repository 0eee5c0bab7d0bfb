// Signing tokens are secrets that stand in paths: whatever is logged or answered shows them as ***.
const TOKEN_IN_PATH = /^((?:\/api\/v1)?\/sign\/)[^/?]+/

/** The path without its query and without a signing token. */
export function maskPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.replace(TOKEN_IN_PATH, '$1***')
}
