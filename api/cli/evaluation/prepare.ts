// The first step of an evaluation: the Secret that its servers start with, and their bucket.
import { readConfig } from '../../config.ts'
import { loadOrCreateSecret } from '#core/platform/kubernetes/secret-calls.ts'
import { openKube } from '#core/platform/kubernetes/open-kube.ts'
import { createBucket } from '#core/platform/storage/s3/create-bucket.ts'
import { ownNamespace } from '../own-namespace.ts'
import { EvaluationSecrets, newEvaluationSecrets } from './secrets.ts'

export interface PrepareOptions {
  secret: string
  databaseHost: string
  receiverHost: string
  objectStore: string
  bucket: string
  /** Seconds to wait for the object store. */
  wait: number
}

/** Does nothing that was done before. Throws one sentence when the store does not answer in time. */
export async function prepareEvaluation(options: PrepareOptions): Promise<void> {
  const hosts = { database: options.databaseHost, receiver: options.receiverHost }
  const { accessKeyId, secretAccessKey } = await loadSecrets(options.secret, hosts)
  const { s3Region: region } = readConfig()
  const store = { endpoint: options.objectStore, region, accessKeyId, secretAccessKey, bucket: options.bucket }
  await createBucket(store, AbortSignal.timeout(options.wait * 1_000))
}

async function loadSecrets(name: string, hosts: Parameters<typeof newEvaluationSecrets>[0]): Promise<EvaluationSecrets> {
  const settings = readConfig()
  await using kube = await openKube(settings)
  const secret = { namespace: ownNamespace(settings), name }
  return EvaluationSecrets.parse(await loadOrCreateSecret(kube.requests, secret, () => newEvaluationSecrets(hosts)))
}
