import { Secret } from '#core/platform/config/secret.ts'
import { format, inspect } from 'node:util'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'

const TEXT = 'correct horse'
const secret = new Secret(TEXT)

/** What a logger of the service would write. */
function logged(fields: object): string {
  const lines: string[] = []
  pino({}, { write: (line: string) => void lines.push(line) }).info(fields, 'message')
  return lines.join('')
}

describe('a secret', () => {
  test('is returned by reveal', () => {
    expect(secret.reveal()).toBe(TEXT)
  })

  test.each([
    ['as text', () => String(secret)],
    ['within a text', () => ['postgres://user:', secret, '@host'].join('')],
    ['joined to a text', () => 'password: ' + secret],
    ['in JSON', () => JSON.stringify({ deep: [{ secret }] })],
    ['when inspected', () => inspect(secret, { depth: null, showHidden: true })],
    ['when its container is inspected', () => inspect({ deep: [{ secret }] }, { depth: null, showHidden: true })],
    ['on the console', () => format('%s %o %O %j', secret, secret, { secret }, secret)],
    ['in a log line', () => logged({ anything: secret, deep: { secret } })],
    ['in an error', () => String(new Error('refused ' + secret, { cause: secret }))],
  ])('does not print %s', (_, print) => {
    const printed = print()
    expect(printed).not.toContain(TEXT)
    expect(printed).toContain('***')
  })

  test('has no property that could be copied', () => {
    expect(Reflect.ownKeys(secret)).toEqual([])
    expect(JSON.stringify(structuredClone(secret))).not.toContain(TEXT)
  })
})
