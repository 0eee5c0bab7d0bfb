// Which version seals for an organisation, and when a rotation continues: the tables of decisions.
import { chooseVersion, nextRotationStep, renewalTime, type RotationWorker, type SealCandidate } from '#core/signing-key/rules.ts'
import { describe, expect, test } from 'vitest'

const NOW = new Date('2026-06-01T12:00:00Z')
const EARLIER = new Date('2026-05-01T12:00:00Z')
const LATER = new Date('2026-07-01T12:00:00Z')

function candidate(keyId: string, changes: Partial<SealCandidate> = {}): SealCandidate {
  return {
    keyId,
    orgId: null,
    providerType: 'PKCS12',
    compromisedSince: null,
    version: 1,
    fingerprint: `of ${keyId}`,
    selfMade: false,
    activatedAt: EARLIER,
    ...changes,
  }
}

const OWN = candidate('own', { providerType: 'INSTALLATION', selfMade: true })
const SHARED = candidate('shared')
const OF_ORGANISATION = candidate('organisation', { orgId: 'an organisation' })

function chosen(candidates: SealCandidate[], trustedUntil: Date | null = null): string {
  const choice = chooseVersion(candidates, { now: NOW, trustedUntil })
  return choice.waits ? choice.reason : choice.version.keyId
}

describe('the version that seals', () => {
  test.each([
    ["the organisation's", [OWN, SHARED, OF_ORGANISATION], 'organisation'],
    ['else the installation-wide one', [OWN, SHARED], 'shared'],
    ["else the installation's own", [OWN], 'own'],
    ['else none', [], 'NoActiveKey'],
  ])('is %s', (_name, candidates, expected) => {
    expect(chosen(candidates)).toBe(expected)
    expect(chosen(candidates.toReversed())).toBe(expected)
  })

  test('is never of a compromised key, and no other key takes its place', () => {
    expect(chosen([SHARED, candidate('bad', { orgId: 'an organisation', compromisedSince: NOW })])).toBe('Compromised')
    expect(chosen([SHARED, candidate('later', { orgId: 'an organisation', compromisedSince: LATER })])).toBe('later')
  })

  test('is not self-signed where one of an issuer has left, unless it was made after that', () => {
    expect(chosen([OWN], NOW)).toBe('LessTrust')
    expect(chosen([OWN], EARLIER)).toBe('LessTrust')
    expect(chosen([{ ...OWN, activatedAt: NOW }], EARLIER)).toBe('own')
    expect(chosen([SHARED], NOW)).toBe('shared')
  })
})

function worker(name: string, changes: Partial<RotationWorker> = {}): RotationWorker {
  return { name, hasActive: true, outcome: 'LOADED', reason: null, message: null, ...changes }
}

const WAITING = worker('waiting', { outcome: null })
const AWAY = worker('away', { outcome: 'FAILED', reason: 'Unavailable', message: 'no access' })
const FAULTY = worker('faulty', { outcome: 'FAILED', reason: 'WrongPassword', message: 'wrong' })

describe('a rotation', () => {
  test.each<[string, Partial<Parameters<typeof nextRotationStep>[0]>, ReturnType<typeof nextRotationStep>]>([
    ['waits without workers', { workers: [] }, { kind: 'wait' }],
    ['waits without workers also after its deadline', { workers: [], announcedSeconds: 900 }, { kind: 'wait' }],
    ['flips when all have loaded it', { workers: [worker('a'), worker('b')] }, { kind: 'flip', missing: [] }],
    ['waits for a worker that has not tried', { workers: [worker('a'), WAITING] }, { kind: 'wait' }],
    ['waits for a worker that cannot reach the key', { workers: [worker('a'), AWAY] }, { kind: 'wait' }],
    [
      'names who is missing after its deadline',
      { workers: [worker('a'), WAITING, AWAY], announcedSeconds: 60 },
      { kind: 'flip', missing: ['waiting', 'away'] },
    ],
    ['does not flip before its deadline', { workers: [worker('a'), WAITING], announcedSeconds: 59.9 }, { kind: 'wait' }],
    [
      'waits after its deadline when no worker has loaded it',
      { workers: [WAITING, AWAY], announcedSeconds: 900 },
      { kind: 'wait' },
    ],
    [
      'never flips to faulty material',
      { workers: [worker('a'), FAULTY], announcedSeconds: 900 },
      { kind: 'fail', reason: 'WrongPassword', message: 'wrong' },
    ],
    [
      'does not wait when no live worker has the active version',
      { workers: [worker('a', { hasActive: false }), worker('b', { hasActive: false, outcome: null })] },
      { kind: 'flip', missing: ['b'] },
    ],
    [
      'of a first version waits for all',
      { hasActive: false, workers: [worker('a', { hasActive: false }), worker('b', { hasActive: false, outcome: null })] },
      { kind: 'wait' },
    ],
    ['recovers when the material was repaired', { hasFailed: true, workers: [worker('a'), WAITING] }, { kind: 'recover' }],
    [
      'flips at once when all can load the repaired material',
      { hasFailed: true, workers: [worker('a')] },
      { kind: 'flip', missing: [] },
    ],
    ['stays failed while no worker has tried again', { hasFailed: true, workers: [WAITING] }, { kind: 'wait' }],
  ])('%s', (_name, changes, step) => {
    expect(nextRotationStep({ hasFailed: false, hasActive: true, announcedSeconds: 1, workers: [], ...changes })).toEqual(step)
  })
})

test('a key is renewed by its schedule, and in the last third of its certificate at the latest', () => {
  const active = { activatedAt: NOW, notBefore: NOW, notAfter: new Date(NOW.getTime() + 30_000) }
  const cases: [Parameters<typeof renewalTime>[1], number][] = [
    [{ everySeconds: null }, 20],
    [{ everySeconds: 5 }, 5],
    [{ everySeconds: 25 }, 20],
    [{ everySeconds: null, beforeEndSeconds: 4 }, 26],
    [{ everySeconds: 25, beforeEndSeconds: 4 }, 25],
  ]
  for (const [schedule, after] of cases) expect(renewalTime(active, schedule)).toEqual(new Date(NOW.getTime() + after * 1000))
})
