// A new RSA-2048 key as P12, in a form that both ways can open: node-forge signs nothing else, and fails on EC certificates in the chain.
import { generateKeyPairSync } from 'node:crypto'
import forge from 'node-forge'

export function newRsaP12(password: string, now: Date): Buffer {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = forge.pki.privateKeyFromPem(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString())
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e)
  certificate.serialNumber = '01'
  certificate.validity.notBefore = new Date(now.getTime() - 60_000)
  certificate.validity.notAfter = new Date(now.getTime() + 86_400_000)
  const name = [{ shortName: 'CN', value: 'Benchmark' }]
  certificate.setSubject(name)
  certificate.setIssuer(name)
  certificate.setExtensions([{ name: 'keyUsage', critical: true, digitalSignature: true, nonRepudiation: true }])
  certificate.sign(key, forge.md.sha256.create())
  const pfx = forge.pkcs12.toPkcs12Asn1(key, [certificate], password, { algorithm: 'aes256' })
  return Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'binary')
}
