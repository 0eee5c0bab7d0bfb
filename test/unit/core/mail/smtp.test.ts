import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { toFailure } from '#core/mail/smtp-failure.ts'
import { toSmtpOptions } from '#core/mail/smtp-options.ts'
import { openSmtp, type SmtpTransport } from '#core/mail/smtp.ts'
import PostalMime from 'postal-mime'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../../../hack/servers/free-port.ts'
import { type SmtpSink, smtpReply, startSmtpSink } from '../../../support/servers/smtp-sink.ts'

const FROM = 'Sealwright <sign@example.test>'
const SENT_AT = new Date('2026-11-21T10:00:00Z')
const TOKEN = 'Zk3v9_2uYtQ0aWm1nB4cX7dE6fG5hJ8kLpOiUyTrEwQ'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close()
})

async function sinkWith(options: Parameters<typeof startSmtpSink>[0] = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink(options)
  opened.push(sink)
  return sink
}

function smtp(url: string, from = FROM): SmtpTransport {
  const transport = openSmtp(url, from)
  opened.push(transport)
  return transport
}

function mail(changed: { to?: string; subject?: string; text?: string } = {}) {
  return {
    id: randomUUID(),
    to: 'ada@example.test',
    sentAt: SENT_AT,
    subject: 'Hello',
    text: 'Text',
    html: '<p>Text</p>',
    ...changed,
  }
}

describe('a mail', () => {
  test('arrives as it was written, under its own id', async () => {
    const sink = await sinkWith()
    const sent = {
      ...mail(),
      subject: 'Übergabe: please sign',
      text: `Grüße\n\nhttps://example.test/sign/${TOKEN}\n`,
      html: '<p>Grüße</p>',
    }
    expect(await smtp(`smtp://127.0.0.1:${sink.port}`).send(sent)).toEqual({ outcome: 'accepted' })
    const [{ from, recipients, raw } = { from: '', recipients: [], raw: Buffer.alloc(0) }] = sink.received
    expect({ from, recipients }).toEqual({ from: 'sign@example.test', recipients: ['ada@example.test'] })
    const parsed = await PostalMime.parse(raw)
    expect(parsed).toMatchObject({
      messageId: `<${sent.id}@example.test>`,
      subject: sent.subject,
      date: SENT_AT.toISOString(),
      from: { name: 'Sealwright', address: 'sign@example.test' },
      to: [{ address: 'ada@example.test' }],
    })
    expect(parsed.text?.trimEnd()).toBe(sent.text.trimEnd())
    expect(parsed.html?.trim()).toBe(sent.html)
    expect(parsed.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
  })

  test('shares its connection with the ones that follow', async () => {
    const sink = await sinkWith()
    const transport = smtp(`smtp://127.0.0.1:${sink.port}`)
    for (let count = 0; count < 5; count++) await transport.send(mail())
    expect(sink.received).toHaveLength(5)
    expect(sink.connections).toBe(1)
  })

  test.each([
    'ada@example.test, eve@example.test',
    'ada@example.test\r\nRCPT TO:<eve@example.test>',
    'Ada <ada@example.test>',
    '<ada@example.test>',
    'ada@example.test>',
    'ada@example.test;eve@example.test',
    'group: ada@example.test;',
    '"a b"@example.test',
    'ada@exam ple.test',
    'ada\0@example.test',
    'ada',
    '@example.test',
    '',
  ])('to %j is refused without asking any server', async (to) => {
    const sink = await sinkWith()
    expect(await smtp(`smtp://127.0.0.1:${sink.port}`).send(mail({ to }))).toEqual({
      outcome: 'refused',
      error: 'This is not a valid email address.',
      hungUp: false,
    })
    expect(sink.connections).toBe(0)
  })
})

describe('a server that does not take it', () => {
  test.each([
    ['refuses the receiver for good', 'onRcptTo', 550, 'refused', 'RCPT TO'],
    ['cannot take the receiver now', 'onRcptTo', 451, 'delayed', 'RCPT TO'],
    ['refuses the mail for good', 'onData', 554, 'refused', 'DATA'],
    ['cannot take the mail now', 'onData', 452, 'delayed', 'DATA'],
    ['does not want our sender', 'onMailFrom', 550, 'denied', 'MAIL FROM'],
    ['cannot take our sender now', 'onMailFrom', 451, 'denied', 'MAIL FROM'],
  ] as const)('and %s, is distinguished', async (_, hook, code, outcome, command) => {
    const refusal = smtpReply(code, 'no, said the server')
    const sink = await sinkWith(
      hook === 'onData'
        ? { onData: (stream, _session, done) => void stream.resume().once('end', () => done(refusal)) }
        : { [hook]: (_address: unknown, _session: unknown, done: (error: Error) => void) => done(refusal) },
    )
    const result = await smtp(`smtp://127.0.0.1:${sink.port}`).send(mail())
    expect(result).toMatchObject({ outcome, error: expect.stringContaining(`${code} no, said the server`), hungUp: false })
    expect(result).toMatchObject({ error: expect.stringContaining(command) })
  })

  test('and wants another password, concerns every mail', async () => {
    const sink = await sinkWith({
      authOptional: false,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_a, _s, done) => done(smtpReply(535, 'wrong')),
    })
    const transport = smtp(`smtp://user:secret-password@127.0.0.1:${sink.port}`)
    const result = await transport.send(mail())
    expect(result).toMatchObject({ outcome: 'denied', error: expect.stringContaining('535') })
    expect(JSON.stringify(result)).not.toContain('secret-password')
    await expect(transport.verify()).rejects.toThrow(/^SEALWRIGHT_SMTP_URL: the server does not accept emails \(.*535/)
  })

  test('and is not there, concerns every mail', async () => {
    const transport = smtp(`smtp://127.0.0.1:${await freePort()}`)
    expect(await transport.send(mail())).toMatchObject({ outcome: 'unreachable', error: expect.stringContaining('ECONNREFUSED') })
    await expect(transport.verify()).rejects.toThrow('SEALWRIGHT_SMTP_URL: the server does not accept emails')
  })

  test('and shuts down in the middle, concerns every mail', async () => {
    const sink = await sinkWith({
      onData: (stream) => void stream.resume().once('end', () => void sink.close()),
      closeTimeout: 1,
    })
    expect(await smtp(`smtp://127.0.0.1:${sink.port}`).send(mail())).toMatchObject({
      outcome: 'denied',
      error: expect.stringContaining('421'),
      hungUp: true,
    })
  })

  test.each(['the first mail', 'a later mail'])(
    'and closes on the text of %s of a connection, is distinguished',
    async (which) => {
      const sink = await sinkWith()
      const transport = smtp(`smtp://127.0.0.1:${sink.port}`)
      if (which === 'a later mail') await transport.send(mail())
      sink.hangsUpOn = () => true
      const error = 'DATA: ECONNECTION: Connection closed unexpectedly'
      expect(await transport.send(mail())).toEqual({ outcome: 'unreachable', error, hungUp: true })
      sink.hangsUpOn = () => false
      expect(await transport.send(mail())).toEqual({ outcome: 'accepted' })
    },
  )

  test.each([
    ['ECONNECTION', true],
    ['ESOCKET', true],
    // As when it stays silent for as long as we wait: it may be slow.
    ['ETIMEDOUT', false],
    ['ABORT_ERR', false],
  ])('and gives no answer to the text but %s, has hung up: %s', (code, hungUp) => {
    const error = Object.assign(new Error('no answer'), { code })
    expect(toFailure(error, { inData: true })).toEqual({ outcome: 'unreachable', error: `DATA: ${code}: no answer`, hungUp })
    expect(toFailure(error, { inData: false })).toMatchObject({ outcome: 'unreachable', hungUp: false })
  })

  test('and closes before it asks for the text, has not closed on it', async () => {
    const sink: SmtpSink = await sinkWith({ onRcptTo: (_address, session) => sink.hangUp(session.id) })
    const result = await smtp(`smtp://127.0.0.1:${sink.port}`).send(mail())
    expect(result).toMatchObject({ outcome: 'unreachable', error: expect.stringContaining('ECONNECTION'), hungUp: false })
  })

  test('and never says a word, is given up after ten seconds', async () => {
    const asked = Promise.withResolvers<void>()
    const mute = createServer((socket) => {
      socket.on('error', () => {})
      asked.resolve()
    })
    await new Promise<void>((resolve) => {
      mute.listen(0, '127.0.0.1', resolve)
    })
    opened.push({ close: async () => void mute.close() })
    const address = mute.address()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const sent = smtp(`smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`).send(mail())
      await asked.promise
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await sent).toMatchObject({ outcome: 'unreachable', error: expect.stringMatching(/greeting/i) })
    } finally {
      vi.useRealTimers()
    }
  })

  test('and quotes what it refuses, does not get secrets into our records', async () => {
    const quoted = `<ada@example.test>: blocked link https://example.test/sign/${TOKEN} (${TOKEN})`
    const sink = await sinkWith({
      onData: (stream, _session, done) => void stream.resume().once('end', () => done(smtpReply(554, quoted))),
    })
    const result = await smtp(`smtp://127.0.0.1:${sink.port}`).send(mail())
    expect(result).toMatchObject({ outcome: 'refused', error: expect.stringContaining('blocked link (link)') })
    expect(JSON.stringify(result)).not.toMatch(/ada@example|Zk3v9_/)
  })
})

describe('encryption', () => {
  test('an smtps: server with a certificate that no authority vouches for gets nothing', async () => {
    const sink = await sinkWith({ secure: true })
    expect(await smtp(`smtps://127.0.0.1:${sink.port}`).send(mail())).toMatchObject({
      outcome: 'unreachable',
      error: expect.stringMatching(/certificate/i),
    })
    expect(sink.received).toEqual([])
  })

  test('a password is not sent to another machine without TLS', () => {
    const { requireTLS, ignoreTLS, tls } = toSmtpOptions('smtp://user:secret@mail.example.test')
    expect({ requireTLS, ignoreTLS, verifies: tls?.rejectUnauthorized }).toEqual({
      requireTLS: true,
      ignoreTLS: false,
      verifies: true,
    })
  })

  test.each([
    ['smtp://mail.example.test', 587, false],
    ['smtp://mail.example.test:25', 25, false],
    ['smtps://mail.example.test', 465, true],
    ['smtps://mail.example.test:2465', 2465, true],
  ])('%s means port %d', (url, port, secure) => {
    expect(toSmtpOptions(url)).toMatchObject({ host: 'mail.example.test', port, secure })
  })

  test('a password may hold any character', () => {
    expect(toSmtpOptions('smtp://us%40er:p%3Aw%2F%20x@mail.example.test')).toMatchObject({
      auth: { user: 'us@er', pass: 'p:w/ x' },
    })
  })
})

describe('settings', () => {
  test.each(['http://mail.example.test', 'mail.example.test', 'smtp://', '', 'smtp:user:hunter2@x'])('%j is no server', (url) => {
    expect(() => openSmtp(url, FROM)).toThrow(/^SEALWRIGHT_SMTP_URL must look like/)
    expect(() => openSmtp(url, FROM)).not.toThrow(/hunter2/)
  })

  test.each(['Sealwright', 'a@b@c', 'a@b, c@d', 'X <a@b', 'X <a@b>\r\nBcc: c@d', ''])('%j is no sender', (from) => {
    expect(() => openSmtp('smtp://127.0.0.1', from)).toThrow(/^SEALWRIGHT_MAIL_FROM must be an email address/)
  })

  test('no option of the mail library comes in through the URL', () => {
    expect(toSmtpOptions('smtp://mail.example.test?disableFileAccess=false&ignoreTLS=true')).toMatchObject({
      disableFileAccess: true,
      ignoreTLS: false,
    })
  })
})
