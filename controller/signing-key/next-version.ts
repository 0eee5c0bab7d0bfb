// Whether a key is due to get another version, by request, by schedule, or because it has none yet. Pure.
import { renewalTime, type Schedule } from '#core/signing-key/rules.ts'
import type { KeyVersionView, SigningKeyView } from '#core/signing-key/signing-key.ts'
import { secondsOf } from '../resource/duration.ts'
import { isSameMaterial, pkcs12Material } from './parts.ts'
import type { SigningKeyObject, SigningKeySpec } from './resource.ts'

export interface DueVersion {
  version: number
  /** The request that it carries out. */
  request?: string
}

/** Undefined when the newest version is what the object wants. */
export function dueVersion(
  object: SigningKeyObject,
  row: SigningKeyView,
  { now, namespace, announcedRequest }: { now: Date; namespace: string; announcedRequest?: string | undefined },
): DueVersion | undefined {
  if (row.state === 'RETIRED') return undefined
  const [newest] = row.versions
  const request = openRequest(object, row)
  const isAsked = request !== announcedRequest && isUncarried(request, row)
  const isDue = isAsked || !newest || hasOtherMaterial(object, newest, namespace) || isScheduled(object, row, now)
  return isDue ? { version: (newest?.version ?? 0) + 1, ...(request !== undefined && { request }) } : undefined
}

function isUncarried(request: string | undefined, { versions }: SigningKeyView): boolean {
  return request !== undefined && !versions.some((each) => carries(each, request))
}

/** The request that has not been carried out. */
export function openRequest({ spec }: SigningKeyObject, { handledRequest }: SigningKeyView): string | undefined {
  const request = spec.rotation?.request
  return request === handledRequest ? undefined : request
}

/** Not a version that was replaced before it was used. */
function carries({ request, state, activatedAt }: KeyVersionView, wanted: string): boolean {
  return request === wanted && (state !== 'RETIRED' || activatedAt !== null)
}

function hasOtherMaterial(object: SigningKeyObject, { material }: KeyVersionView, namespace: string): boolean {
  const wanted = pkcs12Material(object, namespace)
  return wanted !== undefined && !isSameMaterial(material, wanted)
}

function isScheduled(object: SigningKeyObject, row: SigningKeyView, now: Date): boolean {
  const due = nextRenewal(object, row)
  return due !== undefined && due <= now && !row.next
}

/** When the key is rotated by schedule; undefined for a key that its user has to rotate. */
export function nextRenewal({ spec }: SigningKeyObject, { active, state }: SigningKeyView): Date | undefined {
  const canIssue = spec.provider.selfSigned !== undefined || spec.provider.certManager !== undefined
  if (!canIssue || state === 'RETIRED' || !active?.certificate || !active.activatedAt) return undefined
  const { notBefore, notAfter } = active.certificate
  return renewalTime({ activatedAt: active.activatedAt, notBefore, notAfter }, scheduleOf(spec))
}

function scheduleOf({ rotation, provider }: SigningKeySpec): Schedule {
  const toSeconds = (duration: string | undefined) => (duration === undefined ? null : secondsOf(duration))
  return { everySeconds: toSeconds(rotation?.every), beforeEndSeconds: toSeconds(provider.certManager?.renewBefore) }
}
