// The pipeline's baseline: the same documents read, sealed, checked, stored and recorded, one after the other in this process, without job,
// queue, lease, audit trail or email.
import { createHash } from 'node:crypto'
import { sealedKey } from '#core/envelope/document/rules.ts'
import { listDocumentsToSeal } from '#core/envelope/document/store.ts'
import { decodeForm } from '#core/pdf/increment/form-codec.ts'
import { newOutputBuffer } from '#core/pades/output-buffer.ts'
import { findSeals } from '#core/pdf/placement/seal-places.ts'
import { sealPdf } from '#core/pades/seal-pdf.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { listAppearances } from '#core/seal/store.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import type { SignedEnvelope } from './pipeline-fill.ts'
import type { PipelineSystem } from './pipeline-system.ts'
import { startCounting } from './pipeline-usage.ts'

export interface BareSeals {
  /** Per seal. */
  ms: number[]
  /** CPU ms per seal, of this process, Postgres and the object store together. */
  cpuMsPerSeal: number
}

/** Seals the envelope's document `count` times. */
export async function sealBare(system: PipelineSystem, { envelopeId }: SignedEnvelope, count: number): Promise<BareSeals> {
  const { owner, storage, organisation } = system
  const now = new Date()
  const key = await newSelfSignedKey({ commonName: 'Bench', organisation: 'Bench', now })
  const [document] = await listDocumentsToSeal(owner, organisation.orgId, envelopeId)
  const seals = await listAppearances(owner, organisation.orgId, envelopeId)
  const { storageKey, inspection, sealPlaces } = document!
  const signOrders = seals.map(({ signOrder }) => signOrder)
  await owner`create table if not exists bare_seals (sha256 bytea primary key, at timestamptz default now())`
  const allocate = newOutputBuffer()
  const ms: number[] = []
  const spentSince = await startCounting(system)
  const own = process.cpuUsage()
  for (let index = 0; index < count; index++) {
    const startedAt = performance.now()
    const original = await storage.read(storageKey)
    const sealed = await sealPdf({
      original,
      plan: inspection.plan,
      placements: findSeals(sealPlaces, signOrders)!,
      forms: seals.map(({ appearance }) => decodeForm(appearance)),
      key,
      sealedAt: now,
      auditHead: { envelopeId, seq: index, hash: '0'.repeat(64) },
      allocate,
    })
    if (!verifyPdf(sealed, { trust: [key.certificate] }).valid) throw new Error('The bare seal is not valid.')
    const sha256 = createHash('sha256').update(sealed).digest()
    await storage.put(sealedKey(organisation.orgId, sha256), sealed, { contentType: 'application/pdf', sha256 })
    await owner`insert into bare_seals (sha256) values (${sha256})`
    ms.push(performance.now() - startedAt)
  }
  const { user, system: kernel } = process.cpuUsage(own)
  const { cpuMs } = await spentSince()
  const spent = (cpuMs.get('Postgres') ?? 0) + (cpuMs.get('S3') ?? 0) + (user + kernel) / 1000
  return { ms, cpuMsPerSeal: spent / count }
}
