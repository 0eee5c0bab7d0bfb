// The invariants of envelopes in a release of the evaluation profile, whose servers only its pods reach.
import type { Progress } from '../clients/crash-walk.ts'
import type { Release } from '../clients/kind-release.ts'
import { assertInvariants } from './invariants.ts'
import { assertCopiesStored } from './outside-the-database.ts'

const SEALED_WITHIN_MS = 120_000

/** Waits until nothing is left to do; then every envelope has one sealed copy and one of each event, and the bucket has what Postgres recorded. */
export async function assertSealedOnce({ cluster, forwardDatabase }: Release, signed: readonly Progress[]): Promise<void> {
  await using database = await forwardDatabase()
  await using store = await cluster.forward('pod/sealwright-object-store-0', 7070)
  const { accessKeyId = '', secretAccessKey = '' } = await cluster.readSecret('sealwright-evaluation')
  await assertInvariants(database.url, signed, SEALED_WITHIN_MS)
  await assertCopiesStored({
    SEALWRIGHT_DATABASE_URL: database.url,
    SEALWRIGHT_S3_ENDPOINT: `http://127.0.0.1:${store.port}`,
    SEALWRIGHT_S3_REGION: 'us-east-1',
    SEALWRIGHT_S3_BUCKET: 'sealwright',
    SEALWRIGHT_S3_ACCESS_KEY_ID: accessKeyId,
    SEALWRIGHT_S3_SECRET_ACCESS_KEY: secretAccessKey,
  })
}
