// An S3 server that honours the condition of single uploads but not of multipart ones: such stores exist and must be rejected.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const BEGUN = '<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>'
const COMPLETED = '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>'

/** Accepts every request, on 127.0.0.1. */
export async function startCarelessS3(): Promise<{ url: string } & AsyncDisposable> {
  const objects = new Map<string, Buffer>()
  const answers: Record<string, (path: string, query: string, body: Buffer) => { status: number; body?: Buffer | undefined }> = {
    POST: (_, query) => ({ status: 200, body: Buffer.from(query.includes('uploads') ? BEGUN : COMPLETED) }),
    PUT: (path, query, body) => {
      if (query.includes('partNumber')) return { status: 200 }
      if (objects.has(path)) return { status: 412 }
      objects.set(path, body)
      return { status: 200 }
    },
    GET: (path) => ({ status: 200, body: objects.get(path) }),
    DELETE: () => ({ status: 204 }),
  }
  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?')
    void buffer(request).then((sent) => {
      const { status, body } = answers[request.method ?? '']?.(path, query, sent) ?? { status: 500 }
      response.writeHead(status, { 'Content-Length': body?.length ?? 0 }).end(body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
