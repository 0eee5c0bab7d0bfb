// The NATS credentials file: read again at each connection, and checked at start so that a wrong file is reported then.
import { readFileSync } from 'node:fs'
import { readableFile } from './readable-file.ts'

/** One line between two with dashes. */
const BLOCK = /^[\t ]*---.*---\n.+\n\s*---.*---\n/gm

/** Takes and returns the name of a file with a token and a seed, as `nsc` writes it. Only the server can check the user. */
export const natsCredentials = readableFile.refine(
  (file) => (readFileSync(file, 'utf8').match(BLOCK) ?? []).length >= 2,
  'contains no NATS user credentials (a JWT and a seed, as nsc writes them)',
)
