// The file with which a user of NATS proves who it is: read again at each connection, and looked through at once, so that a wrong file is told at start.
import { readFileSync } from 'node:fs'
import { readableFile } from './readable-file.ts'

/** One line between two with dashes. */
const BLOCK = /-{3,}[^\n]*-{3,}\n.+\n\s*-{3,}[^\n]*-{3,}\n/g

/** Takes the name of a file with a token and a seed, as `nsc` writes it, and gives it back. Whose they are, only the server knows. */
export const natsCredentials = readableFile.refine(
  (file) => (readFileSync(file, 'utf8').match(BLOCK) ?? []).length >= 2,
  'contains no NATS user credentials (a JWT and a seed, as nsc writes them)',
)
