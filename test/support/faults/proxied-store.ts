// An S3 store with a proxy before its server, and a folder for uploads from files.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import type { S3StoreOptions } from '#core/platform/storage/s3/s3-client.ts'
import { openS3Store } from '#core/platform/storage/s3/s3-store.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'

export interface ProxiedStore {
  store: ObjectStore
  proxy: FaultProxy
  spool: string
  close: () => Promise<void>
}

export async function openProxiedStore(options: S3StoreOptions): Promise<ProxiedStore> {
  const spool = await mkdtemp(path.join(tmpdir(), 'sealwright-spool-'))
  const proxy = await startFaultProxy(options.endpoint)
  const store = openS3Store({ ...options, endpoint: proxy.url })
  return {
    store,
    proxy,
    spool,
    async close() {
      await store.close()
      await proxy.close()
      await rm(spool, { recursive: true })
    },
  }
}
