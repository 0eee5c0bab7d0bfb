// Two stores in memory, an API server and a database, as far as WebhookSubscriptions go: with stale caches, preconditions, finalizers and crashes between
// any two effects. The decisions of the controller run against it as they run against the real ones.
import type { WebhookId } from '#core/ids.ts'
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { needsLiveRead } from '../../../controller/projection/rollback.ts'
import { isSameStatus } from '../../../controller/resource/shown-status.ts'
import { needsSecretCheck } from '../../../controller/webhook-subscription/freshness.ts'
import type { Effect, Plan } from '../../../controller/webhook-subscription/effect.ts'
import { plan } from '../../../controller/webhook-subscription/plan.ts'
import type { WebhookSubscription } from '../../../controller/webhook-subscription/resource.ts'
import { PROJECTED_NAME, projectedName, type Snapshot } from '../../../controller/webhook-subscription/snapshot.ts'
import { statusOf } from '../../../controller/webhook-subscription/status.ts'
import { referenceOf } from '../../../controller/webhook-subscription/referenced-secret.ts'
import { aManagedObject, aRow } from './subscriptions.ts'
import { execute } from './mirror-effects.ts'

export class Crash extends Error {}
class PreconditionError extends Error {}

interface StoredRow {
  row: MirroredWebhook
  secret: string
  previous: string | null
}
interface StoredSecret {
  uid: string
  ownerUid: string
  secret: string
  previous: string | null
}

export class MirrorWorld {
  objects = new Map<string, WebhookSubscription>()
  rows = new Map<string, StoredRow>()
  secrets = new Map<string, StoredSecret>()
  /** What the database knows of them, by the uid of the object. */
  created = new Map<string, { name: string; uid: string | null }[]>()
  /** Of each name all states, for caches that are behind. */
  readonly history = new Map<string, (WebhookSubscription | undefined)[]>()
  /** Every change of either store by the controller. */
  writes = 0
  rotations = 0
  #counter = 0

  next(): number {
    return ++this.#counter
  }

  id(): WebhookId {
    return `00000000-0000-4000-8000-${String(this.next()).padStart(12, '0')}` as WebhookId
  }

  /** What the API server stores: a new version, and a new generation when the spec changed. */
  store(name: string, object: WebhookSubscription | undefined): void {
    const before = this.objects.get(name)
    if (!object) this.objects.delete(name)
    else {
      const isNew = before?.metadata.uid !== object.metadata.uid
      const hasNewSpec = isNew || JSON.stringify(before?.spec) !== JSON.stringify(object.spec)
      const generation = (isNew ? 0 : (before?.metadata.generation ?? 0)) + (hasNewSpec ? 1 : 0)
      const metadata = { ...object.metadata, name, generation, resourceVersion: String(this.next()) }
      this.objects.set(name, structuredClone({ ...object, metadata }))
    }
    this.history.set(name, [...(this.history.get(name) ?? [undefined]), this.objects.get(name)])
  }

  /** As a user's `kubectl delete`. */
  deleteByHand(name: string): void {
    const object = this.objects.get(name)
    if (!object) return
    const waits = (object.metadata.finalizers ?? []).length > 0
    const metadata = { ...object.metadata, deletionTimestamp: '2026-03-01T00:00:00Z' }
    this.store(name, waits ? { ...object, metadata } : undefined)
  }

  createObject(name: string, url: string): void {
    if (this.objects.has(name)) return
    this.store(name, aManagedObject({ name, uid: `uid-${this.next()}`, finalizers: [], spec: { url } }))
  }

  createInPanel(): MirroredWebhook {
    const id = this.id()
    const row = aRow({ id, version: 1, object: null, url: `https://panel-${this.next()}.test/` })
    this.rows.set(id, { row, secret: `secret-${this.next()}`, previous: null })
    return row
  }

  changeRow(id: string, change: Partial<MirroredWebhook>): void {
    const stored = this.rows.get(id)
    if (!stored) return
    const changed = { ...stored.row, ...change }
    if (JSON.stringify(changed) !== JSON.stringify(stored.row)) {
      stored.row = { ...changed, version: stored.row.version + 1 }
    }
  }

  /** One reconcile with a cache that is `lag` states behind, which ends after so many effects. */
  reconcile(name: string, { lag = 0, crashAfter = Infinity }: { lag?: number; crashAfter?: number } = {}): void {
    const left = { effects: crashAfter }
    let own: WebhookSubscription | undefined
    for (let round = 0; round < 12; round += 1) {
      const snapshot = this.observe(name, lag, own)
      const planned = plan(snapshot)
      if (planned.effects.length === 0) return this.showStatus(snapshot, planned, left)
      if (!this.carryOut(planned.effects, snapshot, left)) return
      own = this.objects.get(name)
    }
    throw new Error(`${name} does not settle in one reconcile`)
  }

  /** False when a precondition failed. */
  carryOut(effects: readonly Effect[], snapshot: Snapshot, left: { effects: number }): boolean {
    try {
      for (const effect of effects) {
        if (left.effects-- <= 0) throw new Crash()
        this.execute(effect, snapshot)
      }
      return true
    } catch (error) {
      if (error instanceof PreconditionError) return false
      throw error
    }
  }

  showStatus(snapshot: Snapshot, planned: Plan, left: { effects: number }): void {
    const { object } = snapshot
    if (!object || object.metadata.deletionTimestamp || left.effects <= 0) return
    const status = statusOf(snapshot, planned)
    if (isSameStatus(object.status, status) || !this.isCurrent(object)) return
    this.writes += 1
    this.store(object.metadata.name, { ...object, status })
  }

  observe(name: string, lag: number, own: WebhookSubscription | undefined): Snapshot {
    const states = this.history.get(name) ?? [undefined]
    const cached = own ?? states[Math.max(0, states.length - 1 - lag)]
    const seen = this.facts(name, cached)
    const object = needsLiveRead(cached, seen.row, seen.vanished.length > 0) ? this.objects.get(name) : cached
    const { row, vanished } = this.facts(name, object)
    return {
      namespace: 'sealwright',
      name,
      object,
      row,
      vanished,
      referencedSecret: this.referencedSecret(object, row),
      isSecretGone: this.isSecretGone(object, row),
      isApplied: {},
      holdsDeletions: false,
      isKindDeleted: false,
      hasRoom: true,
      now: new Date('2026-03-01T12:00:00Z'),
    }
  }

  /** As a worker reads it: no object here names a Secret, but the database can lose rows. */
  referencedSecret(object: WebhookSubscription | undefined, row: MirroredWebhook | undefined): Snapshot['referencedSecret'] {
    const reference = object && object.spec.origin !== 'API' ? referenceOf(object, row) : undefined
    if (!reference) return { kind: 'NONE' }
    return this.secrets.has(reference.name) ? { kind: 'READ', isGiven: false } : { kind: 'MISSING', message: 'gone' }
  }

  isSecretGone(object: WebhookSubscription | undefined, row: MirroredWebhook | undefined): boolean {
    if (!object || !row || !needsSecretCheck(object, row)) return false
    const known = row.secret.created.find(({ name }) => name === row.secret.objectName)
    return Boolean(known?.uid) && this.secrets.get(known?.name ?? '')?.uid !== known?.uid
  }

  /** As the database gives it: another content has another name. */
  mirrored({ row, secret, previous }: StoredRow): MirroredWebhook {
    const { object, origin } = row
    if (!object || origin === 'API') return row
    const objectName = `${object.name}-webhook-${object.uid}-${secret}-${row.secret.previousExpiresAt ? previous : ''}`
    return { ...row, secret: { ...row.secret, objectName, created: this.created.get(object.uid) ?? [] } }
  }

  facts(name: string, object: WebhookSubscription | undefined) {
    const all = [...this.rows.values()].map((stored) => this.mirrored(stored))
    const projectedId = PROJECTED_NAME.exec(name)?.[1]
    const uid = object?.metadata.uid
    const isManaged = object !== undefined && object.spec.origin !== 'API'
    const row = isManaged ? all.find((each) => each.object?.uid === uid && each.origin === 'KUBERNETES') : undefined
    return {
      row: row ?? (projectedId ? this.rows.get(projectedId)?.row : undefined),
      vanished: all.filter(
        (each) => each.origin === 'KUBERNETES' && each.object?.name === name && each.object.uid !== uid && !each.orphanedAt,
      ),
    }
  }

  execute(effect: Effect, snapshot: Snapshot): void {
    this.writes += 1
    execute(this, effect, snapshot)
  }

  isCurrent({ metadata }: WebhookSubscription): boolean {
    return this.objects.get(metadata.name)?.metadata.resourceVersion === metadata.resourceVersion
  }

  require(name: string, resourceVersion: string | undefined): WebhookSubscription | undefined {
    const live = this.objects.get(name)
    if (resourceVersion !== undefined && live?.metadata.resourceVersion !== resourceVersion) throw new PreconditionError()
    return live
  }

  mustRequire(name: string, resourceVersion: string): WebhookSubscription {
    const live = this.require(name, resourceVersion)
    if (!live) throw new PreconditionError()
    return live
  }

  /** Every name that either store has something for. */
  names(): string[] {
    const ofRows = [...this.rows.values()].flatMap(({ row }) =>
      row.origin === 'API' ? projectedName(row.id) : (row.object?.name ?? []),
    )
    return [...new Set([...this.objects.keys(), ...ofRows])]
  }

  /** Reconciles everything with fresh caches until a whole pass writes nothing. Throws when that does not happen. */
  settle(): void {
    for (let pass = 0; pass < 12; pass += 1) {
      const before = this.writes
      for (const name of this.names()) this.reconcile(name)
      if (this.writes === before) return
    }
    throw new Error('the stores do not converge')
  }
}
