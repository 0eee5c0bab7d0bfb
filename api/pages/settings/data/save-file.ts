// Hands bytes that were fetched to the browser's downloads.

const REVOKE_AFTER_MS = 60_000

/** Starts the download under this name. */
export function saveFile(bytes: Blob, filename: string): void {
  const url = URL.createObjectURL(bytes)
  followLink(url, filename)
  // Not at once: the browser reads it while it saves.
  window.setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS)
}

/** Follows a link that answers with a file; the page stays. */
export function followLink(url: string, filename: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.rel = 'noreferrer'
  link.click()
}
