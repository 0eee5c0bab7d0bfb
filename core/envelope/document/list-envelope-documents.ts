// Lists the documents of an envelope with download links, for callers with the permission.
import type { Caller, Core } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { findReadableEnvelope } from '#core/envelope/store.ts'
import type { DocumentId, EnvelopeId } from '#core/ids.ts'
import { readInOrganisation } from '#core/platform/postgres/client.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { findRetention } from '#core/envelope/retention/store.ts'
import { holds } from '#core/account/workspace/rules.ts'
import { presignOriginal, presignSealed } from './presign-document.ts'
import { listDocuments } from './store.ts'

export interface DocumentWithUrls {
  id: DocumentId
  filename: string
  /** Null without the permission document:download, and after the retention time. */
  downloadUrl: string | null
  /** Null likewise, and until the copy is sealed. */
  signedUrl: string | null
}

/** Throws ENVELOPE_NOT_FOUND. The URLs are secrets, created for this response and not stored. */
export async function listEnvelopeDocuments(
  core: Pick<Core, 'database' | 'settings' | 'storage'>,
  caller: Caller,
  id: EnvelopeId,
): Promise<DocumentWithUrls[]> {
  const { envelope, documents, retention, now } = await readInOrganisation(core.database, caller.orgId, async (sql) => ({
    envelope: await findReadableEnvelope(sql, caller, id),
    documents: await listDocuments(sql, caller.orgId, id),
    retention: await findRetention(sql, caller.orgId, id, core.settings),
    now: await databaseNow(sql),
  }))
  if (!envelope) throw new DomainError('ENVELOPE_NOT_FOUND')
  const mayDownload = holds(envelope.permissions, 'document:download') && !retention.archived
  const until = { now, endsInSeconds: retention.endsInSeconds }
  return Promise.all(
    documents.map(async (document) => ({
      id: document.id,
      filename: document.filename,
      downloadUrl: mayDownload ? await presignOriginal(core, document, until) : null,
      signedUrl: mayDownload ? await presignSealed(core, document, until) : null,
    })),
  )
}
