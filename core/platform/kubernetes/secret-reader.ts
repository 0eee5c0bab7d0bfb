// Reads one Secret by its name.

export interface SecretReader {
  /** The entries of the Secret in base64; undefined when there is no such Secret. Throws when the API server refuses or cannot be reached. */
  read(namespace: string, name: string): Promise<Readonly<Record<string, string>> | undefined>
}
