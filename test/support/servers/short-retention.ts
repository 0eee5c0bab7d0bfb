// A service that keeps sealed files for 15 minutes, and what is left of an envelope there.
import { archiveEnvelopes } from '#core/envelope/retention/archive-envelopes.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { testService, type TestService } from './test-service.ts'

export const KEPT_SECONDS = 1_000

export interface ShortRetention {
  service: TestService
  /** One run of the sweep, optionally with another store. */
  sweep: (storage?: ObjectStore) => Promise<number>
  row: (id: string) => Promise<Record<string, unknown>>
  /** The keys of all stored objects of the organisation. */
  objects: () => Promise<string[]>
}

export async function shortRetention(): Promise<ShortRetention> {
  const service = await testService({ SEALWRIGHT_SEALED_RETENTION: `${KEPT_SECONDS}s` })
  return {
    service,
    sweep: (storage = service.system.storage) => archiveEnvelopes({ ...service.system, storage }),
    row: async (id) => (await service.database.owner`select * from envelopes where id = ${id}`)[0]!,
    async objects() {
      const keys: string[] = []
      const { orgId } = service.organisation
      for await (const { key } of service.api.storage.list(`organisations/${orgId}/`, new Date(Date.now() + 1_000)))
        keys.push(key)
      return keys.toSorted()
    },
  }
}
