// Answers to a webhook delivery: correct, wrong and endless, with the one result that each must give.
import { type AnswerScript, answerOf } from '../servers/webhook-receiver.ts'

export interface HostileAnswer {
  name: string
  answer: AnswerScript
  expected: { responseStatus?: number; failure?: { code: string; detail?: string } }
}

const TIMEOUT = { failure: { code: 'TIMEOUT' } }
const RESET = { failure: { code: 'CONNECTION_RESET' } }
const BAD_RESPONSE = { failure: { code: 'BAD_RESPONSE' } }
const DELIVERED = { responseStatus: 200 }
const HEAD = 'HTTP/1.1 200 OK\r\n'

const write =
  (...parts: string[]): AnswerScript =>
  (socket) =>
    void socket.write(parts.join(''))
const writeAndEnd =
  (...parts: string[]): AnswerScript =>
  (socket) =>
    void socket.end(parts.join(''))

/** Writes the same again whenever there is room. */
const endless = (first: string, again: string): AnswerScript => {
  return (socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(again)) continue
    }
    socket.write(first)
    socket.on('drain', more)
    more()
  }
}

/** A little at a time, with gaps that no limit between two bytes would notice. */
const drip = (first: string, again: string): AnswerScript => {
  return (socket) => {
    socket.write(first)
    const timer = setInterval(() => socket.write(again), 10)
    socket.once('close', () => clearInterval(timer))
  }
}

function row(name: string, answer: AnswerScript, expected: HostileAnswer['expected']): HostileAnswer {
  return { name, answer, expected }
}

const statusRows = [300, 304, 400, 404, 410, 429, 500, 503, 600, 999].map((status) =>
  row(`status ${status}`, write(answerOf(status, 'retry-after: 1\r\n')), {
    responseStatus: status,
    failure: { code: 'HTTP_STATUS', detail: String(status) },
  }),
)
const successRows = [200, 201, 202, 204, 299].map((status) =>
  row(`status ${status}`, write(status === 204 ? 'HTTP/1.1 204 No Content\r\n\r\n' : answerOf(status)), {
    responseStatus: status,
  }),
)

export const HOSTILE_ANSWERS: readonly HostileAnswer[] = [
  ...successRows,
  ...statusRows,
  row('one 103 before the answer', write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', answerOf(200)), DELIVERED),
  row('a body until the connection closes', writeAndEnd(HEAD, '\r\nbody'), DELIVERED),
  row('an endless body', endless(`${HEAD}\r\n`, 'x'.repeat(65_536)), DELIVERED),
  row('an endless chunked body', endless(`${HEAD}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n'.repeat(1000)), DELIVERED),
  row('a body that drips', drip(`${HEAD}content-length: 1000000\r\n\r\n`, 'x'), DELIVERED),
  row('a body that never comes', write(`${HEAD}content-length: 1000000\r\n\r\n`), DELIVERED),
  row('a body that is cut off', writeAndEnd(`${HEAD}content-length: 1000000\r\n\r\nbody`), DELIVERED),
  row('a body that is not gzip as announced', write(answerOf(200, 'content-encoding: gzip\r\n', 'x'.repeat(99))), DELIVERED),

  row('nothing', () => {}, TIMEOUT),
  row('a head that drips', drip(HEAD, 'x'), TIMEOUT),
  row('103 that drips', drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), TIMEOUT),
  row('half a status line', write('HTTP/1.1 2'), TIMEOUT),
  row('a close without an answer', (socket) => void socket.end(), RESET),
  row('a reset without an answer', (_, __, reset) => reset(), RESET),
  row('a close within the status line', writeAndEnd('HTTP/1.1 2'), RESET),
  row('a close within the headers', writeAndEnd(HEAD, 'x-header: '), RESET),

  row('endless 103', endless('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)), BAD_RESPONSE),
  row('endless 102', endless('', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)), BAD_RESPONSE),
  row('endless 100', endless('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)), BAD_RESPONSE),
  row('an upgrade', write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'), BAD_RESPONSE),
  row('endless headers', endless(HEAD, 'x-header: value\r\n'.repeat(1000)), BAD_RESPONSE),
  row('an endless header name', endless(HEAD, 'x'.repeat(65_536)), BAD_RESPONSE),
  row('an endless header value', endless(`${HEAD}x: `, 'x'.repeat(65_536)), BAD_RESPONSE),
  row('an endless reason', endless('HTTP/1.1 200 ', 'x'.repeat(65_536)), BAD_RESPONSE),
  row('20 KB of headers', write(HEAD, `x: ${'x'.repeat(20_000)}\r\n\r\n`), BAD_RESPONSE),
  row('100 KB of headers', write(HEAD, `x: ${'x'.repeat(100_000)}\r\n\r\n`), BAD_RESPONSE),
  row('two lengths', write(HEAD, 'content-length: 1\r\ncontent-length: 2\r\n\r\nxx'), BAD_RESPONSE),
  row('a length and chunks', write(HEAD, 'content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'), BAD_RESPONSE),
  row('a length that is no number', write(HEAD, 'content-length: x\r\n\r\n'), BAD_RESPONSE),
  row('a negative length', write(HEAD, 'content-length: -1\r\n\r\n'), BAD_RESPONSE),
  row('a header without a colon', write(HEAD, 'header\r\n\r\n'), BAD_RESPONSE),
  row('a null byte in a header', write(HEAD, 'x: \0\r\n\r\n'), BAD_RESPONSE),
  row('status 099', write('HTTP/1.1 099 Low\r\n\r\n'), BAD_RESPONSE),
  row('a status of two digits', write('HTTP/1.1 20 OK\r\n\r\n'), BAD_RESPONSE),
  row('HTTP/0.9', writeAndEnd('<html></html>'), BAD_RESPONSE),
  row('HTTP/2', writeAndEnd('\0\0\x12\x04\0\0\0\0\0'), BAD_RESPONSE),
  row('noise', writeAndEnd('\x80\x01\xff\0\x1b'.repeat(100)), BAD_RESPONSE),
  row('a greeting of another protocol', writeAndEnd('220 mail.example.com ESMTP\r\n'), BAD_RESPONSE),
]
