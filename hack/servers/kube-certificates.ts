// The certificates of a control plane on this machine: one authority, one server certificate, one certificate for each client.
import 'reflect-metadata'
import { KeyObject, webcrypto } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

export interface KeyPairFiles {
  certificate: string
  key: string
}

/** Names of files. */
export interface KubeCertificates {
  authority: string
  /** For the API server and etcd. */
  server: KeyPairFiles
  /** May do everything. */
  admin: KeyPairFiles
  controllerManager: KeyPairFiles
  /** Signs and checks the tokens of ServiceAccounts. */
  serviceAccountKey: string
}

interface Issuer {
  certificate: X509Certificate
  keys: webcrypto.CryptoKeyPair
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000
const VALID_DAYS = 3_650

/** The certificates of the folder, created the first time: objects and tokens of an earlier run stay valid. */
export async function loadOrCreateKubeCertificates(folder: string): Promise<KubeCertificates> {
  const files = filesIn(folder)
  if (existsSync(folder)) return files
  const unfinished = `${folder}.new`
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  await createAll(filesIn(unfinished))
  await rename(unfinished, folder)
  return files
}

function filesIn(folder: string): KubeCertificates {
  const pair = (name: string) => ({ certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) })
  return {
    authority: join(folder, 'ca.crt'),
    server: pair('server'),
    admin: pair('admin'),
    controllerManager: pair('controller-manager'),
    serviceAccountKey: join(folder, 'service-account.key'),
  }
}

async function createAll(files: KubeCertificates): Promise<void> {
  const keys = await newKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...commonFields(),
    name: 'CN=control-plane-ca',
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  })
  const issuer = { certificate, keys }
  await writePem(files.authority, certificate.toString('pem'))
  await issue(issuer, files.server, 'CN=kube-apiserver', [ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth])
  await issue(issuer, files.admin, 'O=system:masters, CN=admin', [ExtendedKeyUsage.clientAuth])
  await issue(issuer, files.controllerManager, 'CN=system:kube-controller-manager', [ExtendedKeyUsage.clientAuth])
  await writePem(files.serviceAccountKey, toPem((await newKeys()).privateKey))
}

async function issue(issuer: Issuer, files: KeyPairFiles, subject: string, usages: ExtendedKeyUsage[]): Promise<void> {
  const keys = await newKeys()
  const names = new SubjectAlternativeNameExtension([
    { type: 'ip', value: '127.0.0.1' },
    { type: 'dns', value: 'localhost' },
  ])
  const certificate = await X509CertificateGenerator.create({
    ...commonFields(),
    subject,
    issuer: issuer.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: issuer.keys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension(usages),
      ...(usages.includes(ExtendedKeyUsage.serverAuth) ? [names] : []),
    ],
  })
  await writePem(files.certificate, certificate.toString('pem'))
  await writePem(files.key, toPem(keys.privateKey))
}

function commonFields() {
  const now = Date.now()
  return { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + VALID_DAYS * DAY_MS) }
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
}

/** The API server reads no PKCS#8 as the key of ServiceAccounts. */
function toPem(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'sec1', format: 'pem' }).toString().trimEnd()
}

async function writePem(file: string, text: string): Promise<void> {
  await writeFile(file, `${text}\n`, { mode: 0o600 })
}
