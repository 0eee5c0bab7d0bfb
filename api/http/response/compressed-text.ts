// A text that is made once and sent often: compressed at its first request, outside the event loop.
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { chooseEncoding } from './content-encoding.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

type Forms = Record<'plain' | 'br' | 'gzip', Buffer>

/** Sends the text of `make`, which is called at the first request only. */
export function compressedText(type: string, make: () => string | Promise<string>) {
  let forms: Promise<Forms> | undefined
  return async (request: Request, response: Response): Promise<void> => {
    forms ??= compress(make)
    const made = await forms.catch((error: unknown) => {
      forms = undefined
      throw error
    })
    const encoding = chooseEncoding(request, response, () => true)
    response
      .set('Cache-Control', 'no-cache')
      .type(type)
      .send(made[encoding?.name ?? 'plain'])
  }
}

async function compress(make: () => string | Promise<string>): Promise<Forms> {
  const plain = Buffer.from(await make())
  const [br, gz] = await Promise.all([toBrotli(plain), toGzip(plain, { level: 9 })])
  return { plain, br, gzip: gz }
}
