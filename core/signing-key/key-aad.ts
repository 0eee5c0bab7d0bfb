// Binds an encrypted private key to its version.

/** The additional data of the box: it cannot be moved to another key or version. */
export function keyAad(keyId: string, version: number): string {
  return `signing key ${keyId} version ${version}`
}
