import type { AddressRules } from '#core/webhook/address/address-rules.ts'
import { openPostClient } from '#core/webhook/request/post-client.ts'
import { type Lookup, vetTarget } from '#core/webhook/address/vet-target.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Canary, startCanary } from '../../../../support/servers/canary.ts'
import { refusedUrls } from './refused-urls.ts'

const NO_RULES = { allowed: [], denied: [] }
const ONE_ENDPOINT = { allowedEndpoints: ['127.0.0.1:4430'] }
const NEVER_ABORTED = new AbortController().signal
const PUBLIC = ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c']

let canary: Canary
beforeAll(async () => {
  canary = await startCanary()
})
afterAll(() => canary[Symbol.asyncDispose]())

const answering =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses
const failing =
  (code: string): Lookup =>
  async () => {
    throw Object.assign(new Error(code), { code })
  }
const vet = (url: string, lookup: Lookup = answering(...PUBLIC), rules: Partial<AddressRules> = {}) =>
  vetTarget(url, { ...NO_RULES, ...rules }, lookup, NEVER_ABORTED)

/** With the product's sockets and, without `lookup`, its resolver. */
const openClient = (rules: AddressRules, lookup?: Lookup) =>
  openPostClient({ rules, timeoutMs: 5_000, connectTimeoutMs: 5_000, ...(lookup && { lookup }) })

async function post(url: string, rules: AddressRules, lookup?: Lookup) {
  await using client = openClient(rules, lookup)
  return client.post({ url, headers: {}, body: Buffer.from('{}') })
}

describe('an attempt connects to nothing', () => {
  // requirements: decisions/webhooks/addresses
  test('for any URL that is not public', async () => {
    const urls = refusedUrls(canary.port)
    expect(urls.length).toBeGreaterThan(110)
    await using client = openClient(NO_RULES)
    for (const { url, failure } of urls) {
      const result = await client.post({ url, headers: {}, body: Buffer.from('{}') })
      expect({ url, failure: result.failure }).toEqual({ url, failure })
    }
    expect(canary.connections()).toBe(0)
  })

  test.each<[string, string[]]>([
    ['loopback', ['127.0.0.1']],
    ['a public and a private address', [PUBLIC[0]!, '10.0.0.1']],
    ['a public A and AAAA ::1', [PUBLIC[0]!, '::1']],
    ['200 addresses with one of loopback', [...Array.from({ length: 199 }, (_, index) => `93.184.215.${index}`), '127.0.0.1']],
    ['an address with a zone', ['2606:4700:4700::1111%lo']],
    ['text that is no address', ['localhost']],
    ['an octal spelling', ['0177.0.0.1']],
  ])('for a name that resolves to %s', async (_, addresses) => {
    const result = await post(`https://hook.example.com:${canary.port}/`, NO_RULES, answering(...addresses))
    expect(result.failure).toEqual({ code: 'ADDRESS_NOT_ALLOWED' })
    expect(canary.connections()).toBe(0)
  })

  test('when the rules contain a mistake', async () => {
    const rules = { allowed: [], denied: ['10.0.0.0/33'] }
    await expect(post('https://hook.example.com/', rules, answering(...PUBLIC))).rejects.toThrow('10.0.0.0/33 is not a CIDR.')
  })
})

test('the canary notices a connection', async () => {
  const noticed = await startCanary()
  await using _ = noticed
  const allowLoopback = { allowed: ['127.0.0.0/8', '::1'], denied: [] }
  for (const host of ['127.0.0.1', 'localhost']) {
    const { failure } = await post(`https://${host}:${noticed.port}/`, allowLoopback)
    expect(failure).toEqual({ code: 'CONNECTION_RESET' })
  }
  expect(noticed.connections()).toBeGreaterThanOrEqual(2)
})

describe('vetTarget', () => {
  test.each([
    ['https://hook.example.com/', PUBLIC],
    ['https://hook.example.com:8443/path?query#fragment', PUBLIC],
    ['https://HOOK.Example.COM./', PUBLIC],
    ['https://bücher.example/', PUBLIC],
    ['https://xn--bcher-kva.example/', PUBLIC],
    ['https://hook_1.example.com/', PUBLIC],
    ['https://8.8.8.8/', ['8.8.8.8']],
    ['https://0x08080808/', ['8.8.8.8']],
    ['https://172.15.255.255/', ['172.15.255.255']],
    ['https://172.32.0.0/', ['172.32.0.0']],
    ['https://100.63.255.255/', ['100.63.255.255']],
    ['https://168.63.129.17/', ['168.63.129.17']],
    ['https://223.255.255.255/', ['223.255.255.255']],
    ['https://[2606:4700:4700::1111]/', ['2606:4700:4700::1111']],
    ['https://[2a00:1450:4001:80b::200e]/', ['2a00:1450:4001:80b::200e']],
    ['https://[64:ff9b::8.8.8.8]/', ['64:ff9b::808:808']],
    ['https://[::ffff:8.8.8.8]/', ['::ffff:808:808']],
    ['https://[64:ff9b:1::8.8.8.8]/', ['64:ff9b:1::808:808']],
    ['https://[2002:808:808::1]/', ['2002:808:808::1']],
    ['https://[2001:0:808:808::f7f7:f7f7]/', ['2001:0:808:808::f7f7:f7f7']],
  ])('accepts %s', async (url, addresses) => {
    expect(await vet(url)).toEqual({ url: new URL(url), addresses })
  })

  // requirements: decisions/security/NAT64
  test.each<[string, string, string[], Partial<AddressRules>, string | undefined]>([
    ['an allowed private address', 'https://hook.example.com/', ['10.1.2.3'], { allowed: ['10.0.0.0/8'] }, undefined],
    ...['::ffff:10.1.2.3', '64:ff9b::10.1.2.3', '64:ff9b:1::10.1.2.3', '2002:a01:203::', '2001:0:a01:203::f5fe:fdfc'].flatMap(
      (address): [string, string, string[], Partial<AddressRules>, string | undefined][] => [
        [
          `an allowed address inside ${address}`,
          'https://a.example/',
          [address],
          { allowed: ['10.0.0.0/8'] },
          'ADDRESS_NOT_ALLOWED',
        ],
        [`${address} itself`, 'https://a.example/', [address], { allowed: [address] }, undefined],
        [
          `${address}, denied inside`,
          'https://a.example/',
          [address],
          { allowed: ['::/0'], denied: ['10.0.0.0/8'] },
          'ADDRESS_NOT_ALLOWED',
        ],
      ],
    ),
    ['loopback in NAT64', 'https://[64:ff9b::7f00:1]/', [], { allowed: ['127.0.0.0/8'] }, 'ADDRESS_NOT_ALLOWED'],
    ['the network of the mapped form', 'https://[::ffff:10.1.2.3]/', [], { allowed: ['::ffff:10.0.0.0/104'] }, undefined],
    [
      'a denied address under a short prefix',
      'https://[64:ff9b:1:808:8:800::]/',
      [],
      { allowed: ['::/0'], denied: ['8.8.8.8'] },
      'ADDRESS_NOT_ALLOWED',
    ],
    ['an allowed literal', 'https://[fd00::1]/', [], { allowed: ['fd00::/8'] }, undefined],
    ['an internal name at allowed addresses', 'https://hook.local/', ['10.1.2.3'], { allowed: ['10.1.2.3'] }, undefined],
    ['an internal name at a public address', 'https://hook.local/', ['8.8.8.8'], { allowed: ['10.1.2.3'] }, 'URL_NOT_ALLOWED'],
    ['an internal name at another private address', 'https://hook/', ['10.1.2.4'], { allowed: ['10.1.2.3'] }, 'URL_NOT_ALLOWED'],
    ['an allowed endpoint', 'https://127.0.0.1:4430/x', [], ONE_ENDPOINT, undefined],
    ['an allowed endpoint in another spelling', 'https://0x7f000001:4430/', [], ONE_ENDPOINT, undefined],
    ['the address of an allowed endpoint with another port', 'https://127.0.0.1:4431/', [], ONE_ENDPOINT, 'ADDRESS_NOT_ALLOWED'],
    ['the address of an allowed endpoint without a port', 'https://127.0.0.1/', [], ONE_ENDPOINT, 'ADDRESS_NOT_ALLOWED'],
    ['the port of an allowed endpoint at another address', 'https://127.0.0.2:4430/', [], ONE_ENDPOINT, 'ADDRESS_NOT_ALLOWED'],
    ['an allowed endpoint, mapped', 'https://[::ffff:127.0.0.1]:4430/', [], ONE_ENDPOINT, 'ADDRESS_NOT_ALLOWED'],
    ['localhost at an allowed endpoint', 'https://localhost:4430/', ['127.0.0.1'], ONE_ENDPOINT, 'URL_NOT_ALLOWED'],
    [
      'an allowed endpoint that is denied',
      'https://127.0.0.1:4430/',
      [],
      { ...ONE_ENDPOINT, denied: ['127.0.0.0/8'] },
      'ADDRESS_NOT_ALLOWED',
    ],
    ['an address beside the allowed ones', 'https://a.example/', ['10.1.2.4'], { allowed: ['10.1.2.3'] }, 'ADDRESS_NOT_ALLOWED'],
    ['a denied public address', 'https://a.example/', ['8.8.8.8'], { denied: ['8.8.8.0/24'] }, 'ADDRESS_NOT_ALLOWED'],
    [
      'a denied address that is allowed',
      'https://a.example/',
      ['10.1.2.3'],
      { allowed: ['10.0.0.0/8'], denied: ['10.1.0.0/16'] },
      'ADDRESS_NOT_ALLOWED',
    ],
    [
      'a denied IPv4 address in NAT64',
      'https://a.example/',
      ['64:ff9b::808:808'],
      { denied: ['8.8.8.8'] },
      'ADDRESS_NOT_ALLOWED',
    ],
    [
      'a denied IPv4 address in allowed 6to4',
      'https://a.example/',
      ['2002:808:808::'],
      { allowed: ['::/0'], denied: ['8.8.8.8'] },
      'ADDRESS_NOT_ALLOWED',
    ],
    [
      'a denied Teredo client',
      'https://a.example/',
      ['2001:0:101:101::f5ff:fffe'],
      { allowed: ['::/0'], denied: ['10.0.0.1'] },
      'ADDRESS_NOT_ALLOWED',
    ],
    [
      'an allowed Teredo server',
      'https://a.example/',
      ['2001:0:a00:1::f5ff:fffe'],
      { allowed: ['10.0.0.1'] },
      'ADDRESS_NOT_ALLOWED',
    ],
    [
      'one allowed and one private address',
      'https://a.example/',
      ['10.1.2.3', '10.1.2.4'],
      { allowed: ['10.1.2.3'] },
      'ADDRESS_NOT_ALLOWED',
    ],
  ])('applies the rules of the operator: %s', async (_, url, addresses, rules, code) => {
    const vetted = await vet(url, answering(...addresses), rules)
    expect('failure' in vetted ? vetted.failure.code : undefined).toBe(code)
  })

  test.each([
    ['NXDOMAIN', failing('ENOTFOUND'), 'NAME_NOT_FOUND'],
    ['a name without addresses', answering(), 'NAME_NOT_FOUND'],
    ['a server failure', failing('EAI_AGAIN'), 'NAME_LOOKUP_FAILED'],
    ['a refused query', failing('EREFUSED'), 'NAME_LOOKUP_FAILED'],
  ])('refuses %s', async (_, lookup, code) => {
    expect(await vet('https://hook.example.com/', lookup)).toEqual({ failure: { code } })
  })

  test('does not wait for a resolver that never answers', async () => {
    const controller = new AbortController()
    const vetted = vetTarget('https://hook.example.com/', NO_RULES, () => new Promise(() => {}), controller.signal)
    controller.abort()
    expect(await vetted).toEqual({ failure: { code: 'NAME_LOOKUP_FAILED' } })
  })

  test('resolves each time, so that an answer that alternates is refused each time that it is private', async () => {
    const answers = [[...PUBLIC], ['127.0.0.1'], [...PUBLIC], ['::1']]
    const lookup: Lookup = async () => answers.shift() ?? []
    const outcomes = []
    for (let attempt = 0; attempt < 4; attempt++) outcomes.push('failure' in (await vet('https://hook.example.com/', lookup)))
    expect(outcomes).toEqual([false, true, false, true])
  })
})
