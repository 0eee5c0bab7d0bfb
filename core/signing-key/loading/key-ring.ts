// The signing keys that this process has loaded: it reports them, so that a rotation waits for it, and jobs seal with them.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { StorelessCore } from '#core/context.ts'
import { isUnavailable } from '#core/platform/postgres/postgres-error.ts'
import type { OrgId } from '#core/ids.ts'
import { sealKeyWaits } from '#core/platform/metrics/metrics.ts'
import { advanceRotations } from '../advance-rotations.ts'
import { chooseVersion } from '../choose-version.ts'
import { SigningKeyUnusableError } from '../key-error.ts'
import type { KeyChoice } from '../rules.ts'
import {
  recordHeartbeat,
  deleteLoad,
  deleteWorker,
  findLoadable,
  listWantedVersions,
  recordLoad,
  type WantedVersion,
} from '../worker-store.ts'
import type { MaterialPlaces } from './find-material.ts'
import type { KeyOpener } from './key-opener.ts'
import type { OpenedKey } from './key-task.ts'
import { type Loaded, loadVersion } from './load-version.ts'

/** A version that a job seals with; it stays loaded until it is disposed of. */
export interface HeldKey extends Disposable {
  fingerprint: string
  /** The private key, its certificate and chain; secret. */
  pem: string
}

/** What sealing needs of the keys. */
export interface SealingKeys {
  /** What seals for the organisation now; one statement. */
  choose(orgId: OrgId): Promise<KeyChoice>
  /** Loads the chosen version if it is not loaded yet. Throws SigningKeyUnusableError when the organisation's documents wait, or when it cannot be loaded. */
  acquire(choice: KeyChoice): Promise<HeldKey>
}

export interface KeyRing extends SealingKeys, AsyncDisposable {
  /** Records that this process lives. */
  heartbeat(): Promise<void>
  /** Loads what is new and drops what is not needed any more; returns how many versions changed. */
  sync(): Promise<number>
}

export interface KeyRingParts {
  core: Pick<StorelessCore, 'database' | 'log'>
  places: MaterialPlaces
  opener: KeyOpener
  /** Name in messages about a rotation. Absent: the host and the process. */
  name?: string
}

/** Disposing it removes this process from those that a rotation waits for. */
export function openKeyRing(parts: KeyRingParts): KeyRing {
  const ring = new LoadedKeys(parts)
  return {
    choose: (orgId) => chooseVersion(parts.core, orgId),
    acquire: (choice) => ring.acquire(choice),
    heartbeat: () => ring.heartbeat(),
    sync: () => ring.sync(),
    [Symbol.asyncDispose]: () => ring.unregister(),
  }
}

class LoadedKeys {
  readonly #parts: KeyRingParts
  readonly #worker: { id: string; name: string }
  readonly #loaded = new Map<string, { key: OpenedKey; uses: number }>()
  readonly #loading = new Map<string, Promise<Loaded>>()

  constructor(parts: KeyRingParts) {
    this.#parts = parts
    this.#worker = { id: randomUUID(), name: parts.name ?? `${hostname()} (process ${process.pid})` }
  }

  async heartbeat(): Promise<void> {
    await recordHeartbeat(this.#parts.core.database, this.#worker)
  }

  async sync(): Promise<number> {
    const { core } = this.#parts
    const versions = await listWantedVersions(core.database, this.#worker.id)
    let changed = 0
    for (const version of versions) if (await this.#syncOne(version)) changed += 1
    if (changed > 0) await advanceRotations(core)
    return changed
  }

  async #syncOne(wanted: WantedVersion): Promise<boolean> {
    const { database } = this.#parts.core
    if (wanted.isWanted) {
      await this.#load(wanted)
      return true
    }
    if ((this.#loaded.get(idOf(wanted))?.uses ?? 0) > 0) return false
    this.#loaded.delete(idOf(wanted))
    await deleteLoad(database, this.#worker.id, wanted)
    return true
  }

  /** Loads a version once at a time, and reports the outcome. */
  async #load(wanted: WantedVersion): Promise<Loaded> {
    const id = idOf(wanted)
    const running = this.#loading.get(id) ?? this.#loadAndReport(wanted).finally(() => this.#loading.delete(id))
    this.#loading.set(id, running)
    return running
  }

  async #loadAndReport(wanted: WantedVersion): Promise<Loaded> {
    const { core, places, opener } = this.#parts
    const kept = this.#loaded.get(idOf(wanted))
    const loaded: Loaded = kept
      ? { ok: true, key: kept.key }
      : await loadVersion({ database: core.database, places, opener }, wanted)
    const { keyId, version } = wanted
    if (loaded.ok && !kept) this.#loaded.set(idOf(wanted), { key: loaded.key, uses: 0 })
    if (!loaded.ok) core.log.warn({ keyId, version, reason: loaded.reason, why: loaded.message }, 'signing_key.not_loaded')
    await recordLoad(
      core.database,
      this.#worker.id,
      wanted,
      loaded.ok ? { outcome: 'LOADED' } : { outcome: 'FAILED', reason: loaded.reason, message: loaded.message },
    )
    return loaded
  }

  async acquire(choice: KeyChoice): Promise<HeldKey> {
    if (choice.waits) throw waits(choice.reason, choice.message)
    const id = idOf(choice.version)
    if (!this.#loaded.has(id)) await this.#loadNow(choice.version)
    const entry = this.#loaded.get(id)
    if (!entry) throw waits('NotLoaded', 'The signing key was dropped while it was being loaded.')
    entry.uses += 1
    const { pem, certificate } = entry.key
    return {
      pem,
      fingerprint: certificate.fingerprint,
      [Symbol.dispose]: () => {
        entry.uses -= 1
      },
    }
  }

  async #loadNow({ keyId, version }: { keyId: string; version: number }): Promise<void> {
    const wanted = await findLoadable(this.#parts.core.database, keyId, version)
    if (!wanted) throw waits('NotLoaded', 'The signing key was deleted.')
    const loaded = await this.#load(wanted)
    if (!loaded.ok) throw waits('NotLoaded', `The signing key cannot be loaded: ${loaded.message}`)
  }

  async unregister(): Promise<void> {
    await Promise.allSettled(this.#loading.values())
    const { database, log } = this.#parts.core
    try {
      await deleteWorker(database, this.#worker.id)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      // Rotations stop waiting for this process when its heartbeat is old.
      log.warn({ err: error }, 'signing_key.worker_not_removed')
    }
  }
}

function idOf({ keyId, version }: { keyId: string; version: number }): string {
  return `${keyId}/${version}`
}

function waits(reason: string, message: string): SigningKeyUnusableError {
  sealKeyWaits.inc({ reason })
  return new SigningKeyUnusableError(message)
}
