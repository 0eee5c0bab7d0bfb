import { Socket } from 'node:net'
import type { Lookup } from '#core/webhook/address/vet-target.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startCanary } from '../../../../support/servers/canary.ts'
import {
  type AnswerScript,
  answerOf,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../../../support/servers/webhook-receiver.ts'
import { ADDRESSES, certificates, HOST, newRig } from './post-rig.ts'

const OK: AnswerScript = (socket) => void socket.write(answerOf(200))
const DELIVERED = { responseStatus: 200 }
const failed = (code: string) => ({ failure: { code } })
const [FIRST, SECOND] = ADDRESSES

let receiver: WebhookReceiver
beforeEach(async () => {
  receiver = await startWebhookReceiver(certificates.valid, OK)
})
afterEach(() => receiver[Symbol.asyncDispose]())

/** One list of addresses per lookup. */
const scripted = (...answers: (readonly string[])[]): Lookup => {
  return async () => answers.shift() ?? []
}
const failingSocket = (code: string): Socket => {
  const socket = new Socket()
  process.nextTick(() => socket.destroy(Object.assign(new Error(code), { code })))
  return socket
}

describe('a request', () => {
  test('has the given bytes and headers and nothing that invites a coded answer', async () => {
    await using rig = newRig(receiver)
    const body = '{"title":"Zürich \u2028 😀"}'
    await rig.post({ url: `https://${HOST}:8443/a%20b?c=d&e#f`, body, headers: { 'x-svc-event-id': '1' } })
    const [request = ''] = receiver.requests
    expect(Buffer.from(request, 'latin1').toString().split('\r\n')).toEqual([
      'POST /a%20b?c=d&e HTTP/1.1',
      `host: ${HOST}:8443`,
      'connection: keep-alive',
      'x-svc-event-id: 1',
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ])
  })

  test('is signed after the lookup and the connection', async () => {
    const steps: string[] = []
    await using rig = newRig(receiver, {
      lookup: async () => (steps.push('lookup'), [FIRST]),
      dial: () => void steps.push('dial'),
    })
    const sign = () => (steps.push('sign'), { 'x-svc-signature': 't=1' })
    expect(await rig.post({ sign })).toEqual(DELIVERED)
    expect(steps).toEqual(['lookup', 'dial', 'sign'])
    expect(receiver.requests[0]).toContain('x-svc-signature: t=1\r\n')
  })

  test('goes to an address without a name when its certificate contains the address', async () => {
    await using rig = newRig(receiver)
    expect(await rig.post({ url: `https://${FIRST}/` })).toEqual(DELIVERED)
    expect(await rig.post({ url: `https://${SECOND}/` })).toEqual(failed('TLS_WRONG_HOST'))
    expect(rig.dialled).toEqual([FIRST, SECOND])
  })

  test.each([
    ['a malformed header', { headers: { 'x-a': 'b\r\nx-c: d' } }, {}],
    ['no free file descriptor', {}, { dial: () => failingSocket('EMFILE') }],
  ])('is not an attempt with %s', async (_, request, options) => {
    await using rig = newRig(receiver, options)
    await expect(rig.post(request)).rejects.toThrow(/header|EMFILE/)
    expect(receiver.requests).toEqual([])
  })

  test('ends with the signal of its caller', async () => {
    receiver.answer(() => controller.abort())
    const controller = new AbortController()
    await using rig = newRig(receiver)
    expect(await rig.post({ signal: controller.signal })).toEqual(failed('ABORTED'))
    expect(await rig.post({ signal: controller.signal })).toEqual(failed('ABORTED'))
    expect(receiver.requests).toHaveLength(1)
  })

  test('can share the signal of many others', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    const { signal } = new AbortController()
    await using rig = newRig(receiver, { timeoutMs: 10_000, connectTimeoutMs: 10_000 })
    const results = await Promise.all(Array.from({ length: 60 }, () => rig.post({ signal })))
    expect(results).toEqual(Array.from({ length: 60 }, () => DELIVERED))
    // Warnings are emitted on the next tick.
    await new Promise(setImmediate)
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })
})

describe('the addresses of a name', () => {
  test.each<[string, (address: string) => Socket | undefined, unknown, readonly string[]]>([
    ['the first refuses', (address) => (address === FIRST ? failingSocket('ECONNREFUSED') : undefined), DELIVERED, ADDRESSES],
    ['the first is silent', (address) => (address === FIRST ? new Socket() : undefined), DELIVERED, ADDRESSES],
    ['both refuse', () => failingSocket('ECONNREFUSED'), failed('CONNECTION_REFUSED'), ADDRESSES],
    ['both are silent', () => new Socket(), failed('CONNECT_TIMEOUT'), ADDRESSES],
    [
      'the first has no route and the second refuses',
      (address) => failingSocket(address === FIRST ? 'ENETUNREACH' : 'ECONNREFUSED'),
      failed('CONNECTION_REFUSED'),
      ADDRESSES,
    ],
    ['no route', () => failingSocket('EHOSTUNREACH'), failed('HOST_UNREACHABLE'), ADDRESSES],
    ['a policy forbids it', () => failingSocket('EPERM'), failed('HOST_UNREACHABLE'), ADDRESSES],
    ['the system gives up', () => failingSocket('ETIMEDOUT'), failed('CONNECT_TIMEOUT'), ADDRESSES],
  ])('are tried in turn: %s', async (_, dial, expected, dialled) => {
    await using rig = newRig(receiver, { dial, lookup: async () => ADDRESSES, connectTimeoutMs: 400 })
    expect(await rig.post()).toEqual(expected)
    expect(rig.dialled).toEqual(dialled)
  })

  test('are at most four', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `93.184.216.${index}`)
    await using rig = newRig(receiver, { dial: () => failingSocket('ECONNREFUSED'), lookup: async () => many })
    expect(await rig.post()).toEqual(failed('CONNECTION_REFUSED'))
    expect(rig.dialled).toEqual(many.slice(0, 4))
  })

  test('are not tried further after a certificate for another host', async () => {
    await using other = await startWebhookReceiver(certificates.wrongHost, OK)
    await using rig = newRig(other, { lookup: async () => ADDRESSES })
    expect(await rig.post()).toEqual(failed('TLS_WRONG_HOST'))
    expect(rig.dialled).toEqual([FIRST])
  })

  test.each([
    ['in the time to connect', { connectTimeoutMs: 50 }, 'NAME_LOOKUP_FAILED'],
    ['in the time of the attempt', { timeoutMs: 50 }, 'TIMEOUT'],
  ])('do not come %s', async (_, limits, code) => {
    await using rig = newRig(receiver, { lookup: () => new Promise(() => {}), ...limits })
    expect(await rig.post()).toEqual(failed(code))
    expect(rig.dialled).toEqual([])
  })
})

describe('an open connection', () => {
  test('carries further requests, each after a lookup', async () => {
    let lookups = 0
    await using rig = newRig(receiver, { lookup: async () => (lookups++, [FIRST]) })
    for (let attempt = 0; attempt < 3; attempt++) expect(await rig.post()).toEqual(DELIVERED)
    expect({ connections: receiver.connections(), lookups }).toEqual({ connections: 1, lookups: 3 })
  })

  test('is not used when its address is no longer among those of the name', async () => {
    await using rig = newRig(receiver, { lookup: scripted([FIRST], [SECOND], [FIRST, SECOND]) })
    for (let attempt = 0; attempt < 3; attempt++) expect(await rig.post()).toEqual(DELIVERED)
    expect(rig.dialled).toEqual([FIRST, SECOND])
  })

  test('is not used when the name has become private in between', async () => {
    await using canary = await startCanary()
    await using rig = newRig(receiver, { lookup: scripted([FIRST], ['127.0.0.1'], [FIRST, '::1'], [FIRST]) })
    const url = `https://${HOST}:${canary.port}/`
    const results = []
    for (let attempt = 0; attempt < 4; attempt++) results.push(await rig.post({ url }))
    expect(results).toEqual([DELIVERED, failed('ADDRESS_NOT_ALLOWED'), failed('ADDRESS_NOT_ALLOWED'), DELIVERED])
    expect(rig.dialled).toEqual([FIRST])
    expect(canary.connections()).toBe(0)
  })

  test('is not used for another host or port', async () => {
    await using rig = newRig(receiver)
    await rig.post()
    expect(await rig.post({ url: `https://${HOST}:8443/` })).toEqual(DELIVERED)
    expect(await rig.post({ url: 'https://other.example.com/' })).toEqual(failed('TLS_WRONG_HOST'))
    expect(rig.dialled).toHaveLength(3)
  })

  test.each<[string, AnswerScript]>([
    ['closed', (socket) => void socket.end()],
    ['reset', (_, __, reset) => reset()],
  ])('that is %s instead of an answer is replaced by a new one, once', async (_, instead) => {
    await using rig = newRig(receiver)
    await rig.post()
    let requests = 0
    receiver.answer((socket, request, reset) => (requests++ === 0 ? instead : OK)(socket, request, reset))
    expect(await rig.post()).toEqual(DELIVERED)
    expect(receiver.connections()).toBe(2)

    receiver.answer(instead)
    expect(await rig.post()).toEqual(failed('CONNECTION_RESET'))
    expect({ connections: receiver.connections(), requests: receiver.requests.length }).toEqual({ connections: 3, requests: 5 })
  })

  test('that was closed while it was idle is replaced by a new one', async () => {
    receiver.answer((socket) => void socket.write(answerOf(200), () => socket.end()))
    await using rig = newRig(receiver)
    for (let attempt = 0; attempt < 3; attempt++) expect(await rig.post()).toEqual(DELIVERED)
    expect(receiver.requests).toHaveLength(3)
  })

  test('that breaks within an answer is a failed attempt', async () => {
    await using rig = newRig(receiver)
    await rig.post()
    receiver.answer((socket) => void socket.end('HTTP/1.1 2'))
    expect(await rig.post()).toEqual(failed('CONNECTION_RESET'))
    expect(receiver.requests).toHaveLength(2)
  })

  test('with more bytes than its answer does not answer the next request', async () => {
    receiver.answer((socket) => void socket.write(answerOf(200) + answerOf(201)))
    await using rig = newRig(receiver)
    expect(await rig.post()).toEqual(DELIVERED)
    receiver.answer((socket) => void socket.write(answerOf(204)))
    expect(await rig.post()).toEqual({ responseStatus: 204 })
  })

  test('is closed with the client', async () => {
    {
      await using rig = newRig(receiver)
      await rig.post()
      expect(receiver.open()).toBe(1)
    }
    await expect.poll(() => receiver.open()).toBe(0)
  })
})
