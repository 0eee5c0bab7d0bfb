// Saves fetched bytes as a browser download.

const REVOKE_AFTER_MS = 60_000

/** Starts the download under this name. */
export function saveFile(bytes: Blob, filename: string): void {
  const url = URL.createObjectURL(bytes)
  followLink(url, filename)
  // Not immediately: the browser reads the URL while it saves.
  window.setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS)
}

/** Follows a link to a file download; the page stays. */
export function followLink(url: string, filename: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.rel = 'noreferrer'
  link.click()
}
