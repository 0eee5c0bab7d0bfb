// A certificate authority made with OpenSSL: root, issuing authority, and seal certificates in PKCS #12 files as customers provide them.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runProgram } from '../clients/run-program.ts'

export interface SealAuthority {
  /** Path of the root certificate. */
  rootPem: string
  /** A new key (`rsa:2048`, `ec:P-384`, ...) with certificate and issuing authority, as PKCS #12. */
  issueP12(algorithm: string, password: string): Promise<Buffer>
}

const CONFIGURATION = `[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[seal]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature, nonRepudiation
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
`

/** Writes everything to `folder`, which the caller removes. */
export async function makeSealAuthority(folder: string): Promise<SealAuthority> {
  const at = (name: string): string => path.join(folder, name)
  const config = at('openssl.cnf')
  await writeFile(config, CONFIGURATION)
  await request('rsa:2048', 'root', ['-x509', '-days', '3650', '-extensions', 'authority', '-out', at('root.pem')])
  await issue('rsa:2048', 'issuing', 'root', 'authority')

  async function request(algorithm: string, name: string, rest: readonly string[]): Promise<void> {
    const [kind, size = ''] = algorithm.split(':')
    const newKey = kind === 'ec' ? ['ec', '-pkeyopt', `ec_paramgen_curve:${size}`] : [algorithm]
    const subject = ['-subj', `/O=Mill Lane gardens/CN=${name} ${algorithm}`, '-config', config, '-sha256']
    await openssl(['req', '-newkey', ...newKey, '-nodes', '-keyout', at(`${name}.key`), ...subject, ...rest])
  }

  async function issue(algorithm: string, name: string, issuer: string, extensions: string): Promise<void> {
    await request(algorithm, name, ['-out', at(`${name}.csr`)])
    const by = ['-CA', at(`${issuer}.pem`), '-CAkey', at(`${issuer}.key`), '-CAcreateserial', '-days', '365', '-sha256']
    const files = ['-in', at(`${name}.csr`), '-extfile', config, '-extensions', extensions, '-out', at(`${name}.pem`)]
    await openssl(['x509', '-req', ...by, ...files])
  }

  return {
    rootPem: at('root.pem'),
    async issueP12(algorithm, password) {
      const name = algorithm.replace(':', '-')
      await issue(algorithm, name, 'issuing', 'seal')
      const files = ['-in', at(`${name}.pem`), '-inkey', at(`${name}.key`), '-certfile', at('issuing.pem')]
      await openssl(['pkcs12', '-export', ...files, '-passout', `pass:${password}`, '-out', at(`${name}.p12`)])
      return readFile(at(`${name}.p12`))
    },
  }
}

async function openssl(args: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await runProgram('openssl', args)
  if (exitCode !== 0) throw new Error(`openssl ${args[0]} failed: ${stderr.trim().split('\n').at(-1)}`)
}
