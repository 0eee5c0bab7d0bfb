// `kubectl sealwright support-bundle`: a folder of JSON files for a support request.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Cluster } from '../cluster.ts'
import { CommandError } from '../command-error.ts'
import type { Report } from '../report.ts'
import { collectBundle } from './collect.ts'

/** Writes a new folder, readable by its owner only. Throws CommandError if it exists or cannot be made. */
export async function writeBundle(cluster: Cluster, folder: string, now: Date): Promise<Report> {
  const files = await collectBundle(cluster, now)
  await mkdir(folder, { mode: 0o700 }).catch((error: Error) => {
    throw new CommandError(`The folder ${folder} cannot be made: ${error.message}. Name another one with --output.`)
  })
  for (const { name, content } of files) {
    await writeFile(path.join(folder, name), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  }
  const names = files.map(({ name }) => name)
  return {
    ok: true,
    lines: [
      `wrote ${folder}: ${names.join(', ')}`,
      'It contains no Secret, no description and only the host of each URL. Read it before you send it.',
    ],
    json: { folder, files: names },
  }
}
