// Runs an upload: receives it to disk, stores it, and calls the handler. With an Idempotency-Key, a retry sends its bytes again; hash and
// name are compared, and the file is not stored twice.
import type { Caller, Core, CredentialCaller } from '#core/context.ts'
import { discardUpload } from '#core/envelope/document/discard-upload.ts'
import type { StoredUpload } from '#core/envelope/document/document.ts'
import { type ReceivedFile, storeUpload } from '#core/envelope/document/store-upload.ts'
import { findStoredResponse } from '#core/account/idempotency/respond-once.ts'
import type { Request, Response } from 'express'
import type { UploadRoute } from './define-route.ts'
import { authorizeThenReplay, handleOnce, idempotencyKeyOf, type IdempotentResponse, toKeyedRequest } from './idempotency.ts'
import { receiveUpload, type UploadLimits } from './body/receive-upload.ts'

type Input = Parameters<NonNullable<UploadRoute['admit']>>[0]

/** The handler's result or an idempotent response. Discards the stored file unless the handler created a document from it. */
export async function runUpload(
  route: UploadRoute,
  request: Request,
  response: Response,
  input: Input & { caller: CredentialCaller },
  limits: UploadLimits,
): Promise<unknown> {
  const key = idempotencyKeyOf(route, request)
  // With a key the early check is skipped: a retry may repeat an upload that the envelope already has, which only the file's hash shows.
  if (!key) await route.admit?.(input)
  input.core.threads.inspection.prepare()
  await using file = await receiveUpload(request, response, limits)
  return key ? await runKeyed(route, request, input, file, key) : await runPlain(route, input, file)
}

async function runPlain(route: UploadRoute, input: Input, file: ReceivedFile): Promise<unknown> {
  const upload = await storeUpload(input.core, input.caller, file)
  try {
    return await route.handle({ ...input, upload })
  } catch (error) {
    await discard(input.core, input.caller, upload)
    throw error
  }
}

async function runKeyed(
  route: UploadRoute,
  request: Request,
  input: Input & { caller: CredentialCaller },
  file: ReceivedFile,
  key: string,
): Promise<IdempotentResponse> {
  const { core, caller, params, query } = input
  const content = [query, file.sha256.toString('hex'), file.filename]
  const keyed = toKeyedRequest(route, caller, key, { params, content })
  const previous = await findStoredResponse(core, keyed)
  const authorizeReplay = () => route.authorizeReplay?.(input)
  if (previous) return authorizeThenReplay(route, { kind: 'idempotent', answer: previous, replayed: true }, authorizeReplay)
  // Errors about the file are rethrown inside `handleOnce`, which stores the response.
  const [stored] = await Promise.allSettled([admitAndStore(route, input, file)])
  let taken = false
  try {
    const once = await handleOnce(core, route, request, keyed, async (joined) => {
      if (stored.status === 'rejected') throw stored.reason
      return route.handle({ ...input, core: joined, upload: stored.value })
    })
    taken = !once.replayed && once.answer.status === route.success
    return await authorizeThenReplay(route, once, authorizeReplay)
  } finally {
    if (stored.status === 'fulfilled' && !taken) await discard(core, caller, stored.value)
  }
}

async function admitAndStore(route: UploadRoute, input: Input, file: ReceivedFile): Promise<StoredUpload> {
  await route.admit?.(input)
  return storeUpload(input.core, input.caller, file)
}

/** A failure does not change the response: the sweep deletes what is left. */
async function discard(core: Core, { orgId }: Caller, upload: StoredUpload): Promise<void> {
  await discardUpload(core, orgId, upload).catch((error: unknown) => core.log.warn({ err: error }, 'upload.cleanup_failed'))
}
