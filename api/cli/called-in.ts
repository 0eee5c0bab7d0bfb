// The folder that the command was called in: hack/prepare.mjs runs it in the root of the project and names the first in INIT_CWD.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '#core/platform/config/settings.ts'

const PROJECT = path.resolve(import.meta.dirname, '../..')

/** The path that an argument means. */
export function resolveArgument(file: string, env: Environment): string {
  return path.resolve(env['INIT_CWD'] ?? process.cwd(), file)
}

/**
 * The root that the embedded run made for its seals; undefined where no embedded run has its data. The folder of the caller is not searched:
 * the sender of the file could have put a root beside it.
 */
export function embeddedRoot(env: Environment, project = PROJECT): string | undefined {
  const folder = path.resolve(project, env['SEALWRIGHT_DATA_DIR'] ?? '.sealwright')
  const root = path.join(folder, 'keys', 'signing-root.pem')
  return existsSync(path.join(folder, 'dev.json')) && existsSync(root) ? root : undefined
}
