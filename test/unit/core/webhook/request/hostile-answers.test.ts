import { describe, expect, test } from 'vitest'
import { HOSTILE_ANSWERS } from '../../../../support/hostile/webhook-answers.ts'
import { startCanary } from '../../../../support/servers/canary.ts'
import { answerOf, startTcpReceiver, startWebhookReceiver } from '../../../../support/servers/webhook-receiver.ts'
import { certificates, newRig } from './post-rig.ts'

/** What the system buffers for both sides of a connection, with room to spare. */
const BUFFERS_AT_MOST = 16_000_000

describe('each answer gives one result in time', () => {
  // requirements: decisions/webhooks/request
  test.each(HOSTILE_ANSWERS)('$name', async ({ answer, expected }) => {
    let written = 0
    await using receiver = await startWebhookReceiver(certificates.valid, (socket, request, reset) => {
      answer(socket, request, reset)
      socket.once('close', () => (written = socket.bytesWritten))
    })
    {
      await using rig = newRig(receiver)
      expect(await rig.post()).toEqual(expected)
    }
    // Closed, also when the answer never ends.
    await expect.poll(() => receiver.open()).toBe(0)
    expect(written).toBeLessThan(BUFFERS_AT_MOST)
    expect(receiver.requests).toHaveLength(1)
    expect(receiver.connections()).toBe(1)
  })
})

describe('a redirect is a failure and not followed', () => {
  test.each([301, 302, 303, 307, 308])('%i', async (status) => {
    await using canary = await startCanary()
    const targets = [`https://127.0.0.1:${canary.port}/`, `https://[::1]:${canary.port}/`, '/in?x=1']
    for (const target of targets) {
      await using receiver = await startWebhookReceiver(
        certificates.valid,
        (socket) => void socket.write(answerOf(status, `location: ${target}\r\n`)),
      )
      await using rig = newRig(receiver)
      const failure = { code: 'HTTP_STATUS', detail: String(status) }
      expect(await rig.post()).toEqual({ responseStatus: status, failure })
      expect(receiver.requests).toHaveLength(1)
    }
    expect(canary.connections()).toBe(0)
  })
})

describe('the connection fails', () => {
  test.each<[string, Parameters<typeof startTcpReceiver>[0], string]>([
    ['silent before the handshake', () => {}, 'CONNECT_TIMEOUT'],
    ['silent within a TLS record', (socket) => void socket.write('\x16\x03\x03\x40\0'), 'CONNECT_TIMEOUT'],
    ['closed before the handshake', (socket) => void socket.destroy(), 'CONNECTION_RESET'],
    ['closed within the handshake', (socket) => void socket.once('data', () => socket.end()), 'CONNECTION_RESET'],
    ['reset within the handshake', (socket) => void socket.once('data', () => socket.resetAndDestroy()), 'CONNECTION_RESET'],
    ['HTTP without TLS', (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'TLS_FAILED'],
  ])('%s', async (_, onConnection, code) => {
    await using receiver = await startTcpReceiver(onConnection)
    await using rig = newRig(receiver, { connectTimeoutMs: 200 })
    expect(await rig.post()).toEqual({ failure: { code } })
    await expect.poll(() => receiver.open()).toBe(0)
  })

  test.each([
    ['expired', certificates.expired, { code: 'TLS_EXPIRED', detail: '2026-10-01' }],
    ['not valid yet', certificates.notYetValid, { code: 'TLS_NOT_YET_VALID' }],
    ['for another host', certificates.wrongHost, { code: 'TLS_WRONG_HOST' }],
    ['self-signed', certificates.selfSigned, { code: 'TLS_UNTRUSTED' }],
    ['of an unknown issuer', certificates.untrusted, { code: 'TLS_UNTRUSTED' }],
    [
      'valid, but only with TLS 1.1',
      { ...certificates.valid, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const,
      { code: 'TLS_FAILED' },
    ],
    ['valid, with a client certificate required', { ...certificates.valid, requestCert: true }, { code: 'CONNECTION_RESET' }],
  ])('certificate %s', async (_, tls, failure) => {
    await using receiver = await startWebhookReceiver(tls, (socket) => void socket.write(answerOf(200)))
    await using rig = newRig(receiver)
    expect(await rig.post()).toEqual({ failure })
    expect(receiver.requests).toHaveLength(0)
  })
})
