// The line about the installation's own key that a process prints at its start.
import type { StorelessCore } from '#core/context.ts'
import { trustFileOf } from '../trust-file.ts'
import { listOwnVersions } from '../version-store.ts'
import { findLoadable } from '../worker-store.ts'
import type { MaterialPlaces } from './find-material.ts'
import type { KeyOpener } from './key-opener.ts'
import { loadVersion } from './load-version.ts'

export interface OwnKeyLine {
  line: string
  /** False: what seals by default cannot be used, and the line says what to do. */
  isUsable: boolean
}

/** Tries the active version. A process with one that cannot be used starts all the same, because it has to load the next version. */
export async function describeOwnKey(
  { database, settings }: Pick<StorelessCore, 'database' | 'settings'>,
  parts: { places: MaterialPlaces; opener: KeyOpener },
): Promise<OwnKeyLine> {
  const active = (await listOwnVersions(database)).find(({ state }) => state === 'ACTIVE')
  const wanted = active && (await findLoadable(database, active.keyId, active.version))
  if (!wanted) throw new Error('The installation has no active signing key.')
  const loaded = await loadVersion({ database, ...parts }, wanted)
  if (!loaded.ok) return { line: `signing key: CANNOT BE USED. ${loaded.message}`, isUsable: false }
  return { line: `signing key: ${wanted.selfMade ? selfSignedLine(trustFileOf(settings)) : 'imported'}`, isUsable: true }
}

function selfSignedLine(trustFile: string): string {
  return `SELF-SIGNED, not trusted by PDF readers; root certificate: ${trustFile}`
}
