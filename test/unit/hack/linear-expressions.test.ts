// Tests the lint rule of regular expressions: each file breaks it once, or keeps it.
import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'

const ROOT = process.cwd()
const CONFIG = {
  plugins: [],
  categories: { correctness: 'off' },
  jsPlugins: [path.join(ROOT, 'hack/lint/linear-expressions.mjs')],
  rules: { 'sealwright/linear-expressions': 'error' },
}

const FILES = {
  'nested.ts': ['export const e = /^(?:a+)+$/', 'more than linear time on a text that repeats "a"'],
  'adjacent.ts': [String.raw`export const e = /^\d+\.?\d*$/`, 'more than linear time on a text that repeats "0"'],
  'moved.ts': [String.raw`export const e = /\/+$/`, 'more than linear time on a text that repeats "/"'],
  'built.ts': [
    "const N = '-?\\\\d*\\\\.?\\\\d+'\nexport const e = new RegExp(`^${N} x$`)",
    'more than linear time on a text that repeats "0"',
  ],
  'raw.ts': [
    'const W = String.raw`\\w+`\nexport const e = RegExp(String.raw`^${W}${W}$`)',
    'more than linear time on a text that repeats',
  ],
  'unknown.ts': ['export const e = (text: string) => new RegExp(text)', 'Build the expression from constants'],
  'linear.ts': [String.raw`export const e = [/^\d+(?:\.\d*)?$/, /(?<!\/)\/+$/, /\s+/g, new RegExp('a+b', 'y')]`, ''],
} as const

test('an expression that takes more than linear time is reported, and one that cannot be read', () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'sealwright-lint-'))
  writeFileSync(path.join(folder.path, '.oxlintrc.json'), JSON.stringify(CONFIG))
  for (const [name, [code]] of Object.entries(FILES)) writeFileSync(path.join(folder.path, name), `${code}\n`)

  const { stdout } = spawnSync(process.execPath, [path.join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--format', 'json'], {
    cwd: folder.path,
    encoding: 'utf8',
  })

  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; message: string }[] }
  for (const [name, [, message]] of Object.entries(FILES)) {
    const found = diagnostics.filter(({ filename }) => filename === name).map((each) => each.message)
    expect(found, name).toEqual(message === '' ? [] : [expect.stringContaining(message)])
  }
})
