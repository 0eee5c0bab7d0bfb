// The folder that the command was called in: npm and npx may run it in another one and name the first in INIT_CWD.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '#core/platform/config/settings.ts'

const PROJECT = path.resolve(import.meta.dirname, '../..')

/** The path that an argument means. */
export function resolveArgument(file: string, env: Environment): string {
  return path.resolve(env['INIT_CWD'] ?? process.cwd(), file)
}

/** The root that the embedded run made for its seals; undefined where no embedded run has its data. */
export function embeddedRoot(env: Environment, project = PROJECT): string | undefined {
  const dataDir = env['SEALWRIGHT_DATA_DIR'] ?? '.sealwright'
  const folders = [resolveArgument(dataDir, env), path.resolve(project, dataDir)]
  const folder = folders.find((each) => existsSync(path.join(each, 'dev.json')))
  const root = folder && path.join(folder, 'keys', 'signing-root.pem')
  return root !== undefined && existsSync(root) ? root : undefined
}
