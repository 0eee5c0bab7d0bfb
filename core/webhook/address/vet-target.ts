// The address check of a webhook: at its creation and before each attempt, so that no delivery reaches an internal service.
import { isIP } from 'node:net'
import { webhookRefusals } from '#core/platform/metrics/metrics.ts'
import type { AttemptFailure } from '../failure.ts'
import { type AddressRules, compileRules } from './address-rules.ts'
import { hostOf, isInternalName, parseTargetUrl, portOf } from './target-url.ts'

/** Every A and AAAA of the system's resolver, hosts file included. Throws an error with the resolver's code. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

export interface VettedTarget {
  url: URL
  /** The only addresses to connect to, in the order of the resolver. */
  addresses: readonly string[]
}

export interface Refusal {
  failure: AttemptFailure
}

/** Codes of the resolver for a name without addresses. */
const NO_SUCH_NAME: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EAI_NONAME', 'EAI_NODATA'])

/** Resolves the host of the URL and refuses it unless every address is public (or in `allowed`) and none is in `denied`. A name for internal use
 *  needs addresses that are all in `allowed`. When the signal ends the lookup, the refusal is NAME_LOOKUP_FAILED. Throws only for malformed rules. */
export async function vetTarget(
  url: string,
  rules: AddressRules,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<VettedTarget | Refusal> {
  const target = await vet(url, rules, lookup, signal)
  if ('failure' in target && isRefusal(target.failure)) webhookRefusals.inc({ failure: target.failure.code })
  return target
}

/** The rules refuse it, whatever the resolver does. */
function isRefusal({ code }: AttemptFailure): boolean {
  return code === 'URL_NOT_ALLOWED' || code === 'ADDRESS_NOT_ALLOWED'
}

type Judge = ReturnType<typeof compileRules>
/** A client vets every attempt by the same rules. */
const judges = new WeakMap<AddressRules, Judge>()

function judgeOf(rules: AddressRules): Judge {
  const judge = judges.get(rules) ?? compileRules(rules)
  judges.set(rules, judge)
  return judge
}

async function vet(url: string, rules: AddressRules, lookup: Lookup, signal: AbortSignal): Promise<VettedTarget | Refusal> {
  const judge = judgeOf(rules)
  const target = parseTargetUrl(url)
  if (!(target instanceof URL)) return { failure: target }
  const host = hostOf(target)
  const isInternal = isIP(host) === 0 && isInternalName(host)
  if (isInternal && rules.allowed.length === 0) return internalName()

  const resolved = await resolve(host, lookup, signal)
  if ('failure' in resolved) return resolved
  const verdicts = resolved.addresses.map((address) => judge(address, portOf(target)))
  if (isInternal && verdicts.some((verdict) => verdict !== 'allowed')) return internalName()
  if (verdicts.includes('refused')) return { failure: { code: 'ADDRESS_NOT_ALLOWED' } }
  return { url: target, addresses: resolved.addresses }
}

function internalName(): Refusal {
  return { failure: { code: 'URL_NOT_ALLOWED', detail: 'host' } }
}

async function resolve(host: string, lookup: Lookup, signal: AbortSignal): Promise<Pick<VettedTarget, 'addresses'> | Refusal> {
  if (isIP(host) !== 0) return { addresses: [host] }
  try {
    const addresses = await untilAborted(lookup(host, signal), signal)
    if (addresses.length > 0) return { addresses: [...new Set(addresses)] }
    return { failure: { code: 'NAME_NOT_FOUND' } }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return { failure: { code: NO_SUCH_NAME.has(code) ? 'NAME_NOT_FOUND' : 'NAME_LOOKUP_FAILED' } }
  }
}

/** The system's resolver cannot be interrupted, so its late answer is ignored. */
async function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
