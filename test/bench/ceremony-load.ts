// Envelopes from upload to last signature, sent with little CPU time, because the load runs on the machine under test.
import { Agent, request } from 'node:http'
import { SIGNATURE_IMAGE } from '../support/clients/signer.ts'

const BOUNDARY = 'a-boundary-that-no-document-holds'

/** Each call of the result runs one envelope with one signer through its ceremony; rejects when a step fails. */
export function ceremonyLoad(url: string, token: string, pdf: Buffer): () => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 128 })
  const authorised = { Authorization: `Bearer ${token}` }
  const json = { 'Content-Type': 'application/json' }
  const multipart = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }
  const form = Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="document.pdf"\r\nContent-Type: application/pdf\r\n\r\n`,
    ),
    pdf,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])
  const image = JSON.stringify({ signatureImage: SIGNATURE_IMAGE })

  /** The body of a success response. */
  async function post(path: string, headers: Record<string, string>, body: string | Buffer): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const length = { 'Content-Length': String(Buffer.byteLength(body)) }
    const sent = request(url + path, { method: 'POST', agent, headers: { ...headers, ...length } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.once('end', () => {
        if (response.statusCode && response.statusCode < 300) resolve(text)
        else
          reject(new Error(`${path.split('/').at(-1)} answered ${response.statusCode} ${/"code":"\w+"/.exec(text)?.[0] ?? ''}`))
      })
    })
    sent.once('error', reject).end(body)
    return promise
  }

  return async () => {
    const document: { id: string } = JSON.parse(await post('/api/v1/documents', { ...authorised, ...multipart }, form))
    const signers = [{ name: 'Ada', email: 'ada@example.test' }]
    const wanted = JSON.stringify({ title: 'Bench', signers, documentIds: [document.id] })
    const envelope: { id: string } = JSON.parse(await post('/api/v1/envelopes', { ...authorised, ...json }, wanted))
    const sent: { signingTokens: [{ token: string }] } = JSON.parse(
      await post(`/api/v1/envelopes/${envelope.id}/send`, authorised, ''),
    )
    const link = `/api/v1/sign/${sent.signingTokens[0].token}`
    await post(`${link}/view-opened`, {}, '')
    await post(`${link}/sign`, json, image)
  }
}
