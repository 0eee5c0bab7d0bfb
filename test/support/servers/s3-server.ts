// Global set-up of projects with S3: one real server for the run; each test file creates its own buckets.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startVersitygw } from '../../../hack/servers/versitygw.ts'

export interface S3Access {
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

declare module 'vitest' {
  interface ProvidedContext {
    s3: S3Access
  }
}

export default async function startS3(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sealwright-s3-'))
  const server = await startVersitygw({ dataDir })
  const { endpoint, region, accessKeyId, secretAccessKey } = server
  project.provide('s3', { endpoint, region, accessKeyId, secretAccessKey })
  return async () => {
    await server.stop()
    await rm(dataDir, { recursive: true })
  }
}
