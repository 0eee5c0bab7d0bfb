// Validates only the CMS with OpenSSL: digest, signature, chain and the CAdES signing-certificate attribute (RFC 5035).
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runProgram } from '../clients/run-program.ts'

export interface CmsVerdict {
  verified: boolean
  /** What OpenSSL printed. */
  output: string
}

/** Verifies the file's last signature over the bytes of its /ByteRange. `rootPem`: the path of the trust anchor. */
export async function judgeWithOpenssl(file: string, rootPem: string): Promise<CmsVerdict> {
  const { content, cms } = cutSignature(await readFile(file))
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-cms-'))
  try {
    const contentFile = path.join(folder, 'content')
    const cmsFile = path.join(folder, 'signature.der')
    await writeFile(contentFile, content)
    await writeFile(cmsFile, cms)
    // The certificate is not for S/MIME, hence -purpose any; RFC 5652 content is binary.
    const args = ['cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-purpose', 'any', '-out', '/dev/null']
    const result = await runProgram('openssl', [...args, '-CAfile', rootPem, '-in', cmsFile, '-content', contentFile])
    return { verified: result.exitCode === 0, output: result.stderr }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function cutSignature(bytes: Buffer): { content: Buffer; cms: Buffer } {
  const ranges = [...bytes.toString('latin1').matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)]
  const [start = 0, length = 0, next = 0, rest = 0] = ranges.at(-1)?.slice(1).map(Number) ?? []
  if (rest === 0) throw new Error('there is no /ByteRange in the file')
  const content = Buffer.concat([bytes.subarray(start, start + length), bytes.subarray(next, next + rest)])
  const hex = bytes.toString('latin1', start + length + 1, next - 1)
  return { content, cms: Buffer.from(hex, 'hex') }
}
