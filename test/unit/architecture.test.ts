// Tests the import rules: each is violated by one file, and each violation must be reported.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = process.cwd()

const BROKEN = {
  'core-knows-no-tier': { 'core/audit/uses-tier.ts': "import type { X } from '../../api/x.ts'\nexport type Y = X" },
  'rooms-are-listed': {
    'core/audit/uses-attic.ts': "import { thing } from '../attic/thing.ts'\nexport const t = thing",
    'core/attic/thing.ts': 'export const thing = 1',
  },
  'rooms-go-one-way': { 'core/audit/uses-envelope.ts': "import { p } from '../envelope/plain.ts'\nexport const t = p" },
  'tiers-do-not-meet': { 'workers/uses-api.ts': "import type { X } from '../api/x.ts'\nexport type Y = X" },
  'rules-are-pure': { 'core/envelope/signer/rules.ts': "import { z } from 'zod'\nexport const Z = z" },
  'tiers-know-no-store': { 'api/uses-store.ts': "import { s } from '../core/envelope/signer/store.ts'\nexport const t = s" },
  'postgres-package': { 'core/audit/uses-driver.ts': "import type postgres from 'postgres'\nexport type S = postgres.Sql" },
  'express-package': { 'api/uses-express.ts': "import type { Request } from 'express'\nexport type R = Request" },
  'nats-package': { 'core/messaging/uses-nats.ts': "import { connect } from 'nats'\nexport const c = connect" },
  'kubernetes-package': { 'core/audit/uses-cluster.ts': "import { k } from '@kubernetes/client-node'\nexport const l = k" },
  'pdf-package': { 'core/audit/uses-pdf.ts': "import { PDFDocument } from 'pdf-lib'\nexport const p = PDFDocument" },
  'placement-on-threads': {
    'core/envelope/searches-room.ts': "import { place } from '../pdf/placement/place-seals.ts'\nexport const p = place",
  },
  'main-is-not-imported': { 'api/uses-main.ts': "import { m } from './main.ts'\nexport const n = m" },
  'no-test-in-product': { 'core/audit/uses-test.ts': "import { t } from '../../test/t.ts'\nexport const u = t" },
  'pages-are-browser-code': { 'api/pages/uses-api.ts': "import type { X } from '../x.ts'\nexport type Y = X" },
  'no-cycle': { 'core/audit/one.ts': "import './two.ts'", 'core/audit/two.ts': "import './one.ts'" },
} as const

/** Every way to break a rule; the first file of each is the one that is reported. */
const CASES: readonly (readonly [rule: string, files: Readonly<Record<string, string>>])[] = [
  ...Object.entries(BROKEN),
  ['rooms-go-one-way', { 'core/pdf/read/uses-plan.ts': "import { plan } from '../plan/seal-plan.ts'\nexport const p = plan" }],
  ['rooms-go-one-way', { 'core/webhook/secret.ts': "import { w } from './store.ts'\nexport const v = w" }],
  ['rooms-go-one-way', { 'api/http/body/uses-app.ts': "import { a } from '../app.ts'\nexport const b = a" }],
  [
    'rooms-are-listed',
    {
      'core/account/person/uses-cellar.ts': "import { thing } from '../cellar/thing.ts'\nexport const t = thing",
      'core/account/cellar/thing.ts': 'export const thing = 1',
    },
  ],
  [
    'pages-are-browser-code',
    { 'api/pages/uses-value.ts': "import { shape } from '../schemas/shape.ts'\nexport const s = shape" },
  ],
  [
    'pages-are-browser-code',
    {
      'api/pages/reaches-core.ts': "import type { Q } from '../schemas/heavy.ts'\nexport type R = Q",
      'api/schemas/heavy.ts': "import type { p } from '../../core/envelope/plain.ts'\nexport type Q = typeof p",
    },
  ],
]

const SOUND = {
  'api/pages/uses-type.ts': "import type { shape } from '../schemas/shape.ts'\nexport type S = typeof shape",
  'api/schemas/shape.ts': "import { size } from '../../core/limits.ts'\nexport const shape = size",
  'core/limits.ts': 'export const size = 1',
  'api/x.ts': 'export interface X { x: 1 }',
  'api/main.ts': 'export const m = 1',
  'core/envelope/signer/store.ts': 'export const s = 1',
  'core/pdf/placement/place-seals.ts': 'export const place = 1',
  'core/seal/seal-thread.ts': "import { place } from '../pdf/placement/place-seals.ts'\nexport const p = place",
  'core/pdf/plan/seal-plan.ts': 'export const plan = 1',
  'core/webhook/store.ts': 'export const w = 1',
  'api/http/app.ts': 'export const a = 1',
  'core/envelope/plain.ts': 'export const p = 1',
  'test/t.ts': 'export const t = 1',
  'controller/empty.ts': 'export {}',
}

let folder: string
let output: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sealwright-imports-'))
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  symlinkSync(path.join(ROOT, 'tsconfig.json'), path.join(folder, 'tsconfig.json'))
  for (const files of [SOUND, ...CASES.map(([, broken]) => broken)]) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.join(folder, path.dirname(name)), { recursive: true })
      writeFileSync(path.join(folder, name), text)
    }
  }
  output = spawnSync(process.execPath, [path.join(ROOT, 'hack/check-imports.mjs')], { cwd: folder, encoding: 'utf8' }).stdout
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the checker of the import rules', () => {
  test.each(CASES)('reports %s in %o', (rule, files) => {
    expect(output).toMatch(new RegExp(`error ${rule}: ${Object.keys(files)[0]!.replaceAll('/', '\\/')}`))
  })

  test('reports nothing else', () => {
    const named = [...output.matchAll(/error ([a-z-]+): (\S+)/g)].map(([, rule, file]) => `${rule} ${file}`)
    const expected = CASES.map(([rule, files]) => `${rule} ${Object.keys(files)[0]}`)
    expect(named.toSorted()).toEqual(expected.toSorted())
  })
})
