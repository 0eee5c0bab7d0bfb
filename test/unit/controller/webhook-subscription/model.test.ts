// Random schedules of both stores: users of the panel and of kubectl, reconciles with stale caches, in any order and more than once, and crashes between
// any two effects.
import { expect, it } from 'vitest'
import { commandsOf, recordedCommands } from '../../../../controller/webhook-subscription/parts.ts'
import type { WebhookSubscription } from '../../../../controller/webhook-subscription/resource.ts'
import { RESOLVE } from '../../../../controller/resource/annotations.ts'
import { Crash, MirrorWorld } from '../../../support/builders/mirror-world.ts'
import { fc, runs } from '../../../support/builders/properties.ts'

const NAMES = ['billing', 'crm']
const pick = fc.nat(5)
const token = fc.constantFrom('t1', 't2', 't3')

const step = fc.oneof(
  fc.record({ do: fc.constant('createInPanel' as const) }),
  fc.record({ do: fc.constantFrom('editInPanel' as const, 'disableInPanel' as const, 'deleteInPanel' as const), pick }),
  fc.record({ do: fc.constant('create' as const), name: fc.constantFrom(...NAMES) }),
  fc.record({
    do: fc.constantFrom('editObject' as const, 'deleteByHand' as const, 'vanish' as const, 'endGrace' as const),
    pick,
  }),
  fc.record({ do: fc.constant('suspend' as const), pick, on: fc.boolean() }),
  fc.record({ do: fc.constantFrom('rotate' as const, 'probe' as const), pick, token }),
  fc.record({ do: fc.constant('reconcile' as const), pick, lag: fc.nat(4), crashAfter: fc.oneof(fc.nat(3), fc.constant(99)) }),
)
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never

const at = <Value>(list: Value[], index: number): Value | undefined => list[index % Math.max(1, list.length)]

type StepOf<Name extends Step['do']> = Extract<Step, { do: Name }>
type Runs = { [Name in Step['do']]: (world: MirrorWorld, step: StepOf<Name>, tokens: Set<string>) => void }

const RUNS: Runs = {
  createInPanel: (world) => void world.createInPanel(),
  editInPanel: (world, { pick: index }) => world.changeRow(panelRow(world, index), { url: `https://edit-${world.next()}.test/` }),
  disableInPanel: (world, { pick: index }) => world.changeRow(at([...world.rows.keys()], index) ?? '', { disabledByAdmin: true }),
  deleteInPanel: (world, { pick: index }) => void world.rows.delete(panelRow(world, index)),
  create: (world, { name }) => world.createObject(name, `https://created-${world.next()}.test/`),
  editObject: (world, { pick: index }) => change(world, index, { url: `https://object-${world.next()}.test/` }),
  deleteByHand: (world, { pick: index }) => world.deleteByHand(objectAt(world, index)?.metadata.name ?? ''),
  vanish: (world, { pick: index }) => {
    const object = objectAt(world, index)
    if (object) world.store(object.metadata.name, undefined)
  },
  endGrace: (world, { pick: index }) => {
    const stored = at([...world.rows.values()], index)
    if (stored) world.changeRow(stored.row.id, { secret: { ...stored.row.secret, previousExpiresAt: null } })
  },
  suspend: (world, { pick: index, on }) => change(world, index, { suspend: on }),
  rotate: (world, { pick: index, token: request }, tokens) => {
    tokens.add(String(world.next()))
    change(world, index, { rotation: { request } })
  },
  probe: (world, { pick: index, token: request }) => change(world, index, { probe: { request } }),
  reconcile: (world, each) => reconcile(world, each),
}

function run<Name extends Step['do']>(world: MirrorWorld, each: StepOf<Name>, tokens: Set<string>): void {
  const start: (world: MirrorWorld, step: StepOf<Name>, tokens: Set<string>) => void = RUNS[each.do]
  start(world, each, tokens)
}

function panelRow(world: MirrorWorld, index: number): string {
  return (
    at(
      [...world.rows.values()].filter(({ row }) => row.origin === 'API'),
      index,
    )?.row.id ?? ''
  )
}

function objectAt(world: MirrorWorld, index: number): WebhookSubscription | undefined {
  return at([...world.objects.values()], index)
}

function change(world: MirrorWorld, index: number, spec: Partial<WebhookSubscription['spec']>): void {
  const object = objectAt(world, index)
  if (!object || object.metadata.deletionTimestamp) return
  world.store(object.metadata.name, { ...object, spec: { ...object.spec, ...spec } })
}

function reconcile(world: MirrorWorld, { pick: index, lag, crashAfter }: Step & { do: 'reconcile' }): void {
  const names = [...new Set([...world.names(), ...world.history.keys()])]
  const name = names[index % Math.max(1, names.length)]
  if (name === undefined) return
  try {
    world.reconcile(name, { lag, crashAfter })
  } catch (error) {
    if (!(error instanceof Crash)) throw error
  }
}

type StoredRow = typeof MirrorWorld.prototype.rows extends Map<string, infer Stored> ? Stored : never

/** An object managed in Kubernetes names a Secret with the secrets in use, and owns no other unless the database has forgotten it; one created in the panel has none. */
function assertSecret(
  world: MirrorWorld,
  { row, secret, previous }: StoredRow,
  { metadata, status }: WebhookSubscription,
  isRestored: boolean,
): void {
  const owned = [...world.secrets].filter(([, { ownerUid }]) => ownerUid === metadata.uid)
  if (row.origin === 'API') return expect(owned).toEqual([])
  const content = { secret, previous: row.secret.previousExpiresAt ? previous : null }
  expect(owned).toContainEqual([status?.secret?.secretName, expect.objectContaining(content)])
  if (!isRestored) expect(owned).toHaveLength(1)
}

/** Object and row of each subscription say the same, and each secret is where it belongs. */
function assertAgreement(world: MirrorWorld, isRestored = false): void {
  for (const stored of world.rows.values()) {
    const { row } = stored
    if (row.orphanedAt) continue
    const isProjected = row.origin === 'API'
    const name = isProjected ? `api-${row.id}` : row.object!.name
    const object = world.objects.get(name)!
    expect(object.metadata.uid).toBe(row.object?.uid)
    expect(object.status).toMatchObject({ subscriptionId: row.id, rowVersion: row.version })
    expect(object.spec).toMatchObject({ url: row.url })
    const { suspend, ...requests } = commandsOf(object)
    const recorded = recordedCommands(row)
    expect(suspend).toBe(recorded.suspend)
    expect([recorded.rotationRequest, null]).toContain(requests.rotationRequest)
    expect([recorded.probeRequest, null]).toContain(requests.probeRequest)
    assertSecret(world, stored, object, isRestored)
  }
  const rows = [...world.rows.values()]
  for (const { spec, metadata } of world.objects.values()) {
    expect(rows.find(({ row }) => row.object?.uid === metadata.uid)?.row.url).toBe(spec.url)
  }
}

it('both stores converge, without a write after that, and nothing that was asked for is lost', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      const world = new MirrorWorld()
      const tokens = new Set<string>()
      const panel = new Map<string, string>()
      for (const each of steps) {
        run(world, each, tokens)
        if (each.do !== 'reconcile')
          for (const { row } of world.rows.values()) if (row.origin === 'API') panel.set(row.id, row.url)
      }
      world.settle()
      assertAgreement(world)
      // A configuration of the panel is never changed from Kubernetes, and no token rotates twice.
      for (const { row } of world.rows.values()) if (row.origin === 'API') expect(row.url).toBe(panel.get(row.id))
      expect(world.rotations).toBeLessThanOrEqual(tokens.size)
    }),
    { numRuns: runs(600) },
  )
})

it('after a restore of either store nothing is written until a decision, and then both converge', () => {
  const decision = fc.constantFrom('from-row', 'from-object')
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      fc.array(step, { minLength: 3, maxLength: 15 }),
      fc.constantFrom('database', 'cluster'),
      decision,
      (before, after, store, resolve) => {
        const world = new MirrorWorld()
        const tokens = new Set<string>()
        for (const each of before) run(world, each, tokens)
        world.settle()
        const { rows, created, objects, secrets } = world
        const backup = structuredClone({ rows, created, objects, secrets })
        for (const each of after) run(world, each, tokens)
        world.settle()
        if (store === 'database') Object.assign(world, { rows: backup.rows, created: backup.created })
        else for (const name of NAMES) restoreObject(world, name, backup)
        world.settle()
        decideRollbacks(world, resolve)
        world.settle()
        assertAgreement(world, true)
        for (const { metadata } of world.objects.values()) expect(metadata.annotations?.[RESOLVE]).toBeUndefined()
      },
    ),
    { numRuns: runs(300) },
  )
})

/** With the uid, generation and status of the time of the backup. */
function restoreObject(world: MirrorWorld, name: string, backup: Pick<MirrorWorld, 'objects' | 'secrets'>): void {
  const object = backup.objects.get(name)
  if (object) world.objects.set(name, structuredClone(object))
  else world.objects.delete(name)
  const isOf = ([secretName]: [string, unknown]) => secretName.startsWith(`${name}-`)
  for (const [secretName] of [...world.secrets].filter(isOf)) world.secrets.delete(secretName)
  for (const [secretName, secret] of [...backup.secrets].filter(isOf)) world.secrets.set(secretName, secret)
  world.history.set(name, [object])
}

/** Each object that shows a rollback is left alone until its annotation. */
function decideRollbacks(world: MirrorWorld, choice: string): void {
  for (const [name, object] of world.objects) {
    if (!object.status?.conditions?.some(({ reason }) => reason === 'StoreRolledBack')) continue
    const { writes } = world
    world.reconcile(name)
    expect(world.writes).toBe(writes)
    const resolve = world.facts(name, object).row ? choice : 'from-object'
    world.store(name, { ...object, metadata: { ...object.metadata, annotations: { [RESOLVE]: resolve } } })
  }
}
