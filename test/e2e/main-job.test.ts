// Runs the README's commands literally, and the demo.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { newServerCertificate } from '#core/platform/crypto/server-certificate.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../hack/servers/free-port.ts'
import { runAsProcess } from '../support/clients/command-line.ts'
import { judgeWithPdfsig } from '../support/judges/pdfsig.ts'
import { panelClient } from '../support/clients/panel-client.ts'
import { type RunningService, startService } from '../support/servers/running-service.ts'
import { signer } from '../support/clients/signer.ts'

const run = promisify(execFile)

let dataDir: string
let folder: string
let service: RunningService
let blocks: string[]
let receiverCertificate: string

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-readme-'))
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-out-'))
  const certificate = await newServerCertificate([{ type: 'ip', value: '127.0.0.1' }])
  const [key, own, authority] = certificate.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----\n/g)!
  receiverCertificate = path.join(folder, 'receiver.pem')
  await writeFile(receiverCertificate, `${key}${own}`)
  await writeFile(path.join(folder, 'authority.pem'), authority!)
  service = await startService(dataDir, {
    SEALWRIGHT_WEBHOOK_CA_FILE: path.join(folder, 'authority.pem'),
    SEALWRIGHT_WEBHOOK_ALLOWED_CIDRS: '127.0.0.1',
  })
  const readme = await readFile('README.md', 'utf8')
  // Kubernetes has its own tests, with `start:operator` and on a kind cluster.
  blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!).filter((block) => !/^(helm|k) /m.test(block))
})
afterAll(async () => {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
})

/** Runs commands of the README in the repository; only the data folder and output paths differ. */
async function paste(commands: string): Promise<string> {
  const here = commands
    .replaceAll('.sealwright/', `${dataDir}/`)
    .replaceAll(/\b(lease-signed\.pdf|signature\.der|signed-bytes\.bin)/g, `${folder}/$1`)
  const { stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', here.replaceAll("require('./", "require('")], {
    env: { ...process.env, SEALWRIGHT_DATA_DIR: dataDir },
  })
  return stdout + stderr
}

describe('the README', () => {
  // requirements: running/starting/npm start, running/commands/verify
  test('sends an envelope with its curl commands, and the result verifies', async () => {
    const [send, fetchSealed, verify, openssl] = blocks
    const printed = await paste(`${send!}\necho; echo ENVELOPE=$ENVELOPE`)
    const sent = JSON.parse(printed.split('\n')[0]!)
    expect(sent.signingTokens).toHaveLength(2)
    for (const { token, email } of sent.signingTokens) await signWithCode(token, email)
    const [envelope] = /ENVELOPE=.*/.exec(printed)!
    const known = send!.split('\n').filter((line) => /^(\w+\(\)|API=)/.test(line)) // the terminal is still open
    await paste([...known, envelope, fetchSealed!].join('\n'))
    expect(await paste(verify!)).toMatch(/valid[\s\S]*Signature is Valid/)
    expect(await paste(openssl!)).toContain('Verification successful')
  })

  // requirements: running/starting/webhook receiver
  test('creates a webhook for the receiver with its curl commands, and a test event arrives', async () => {
    const [send, , , , webhook] = blocks
    const functions = send!.split('\n').filter((line) => /^\w+\(\)/.test(line))
    const printed = await paste([...functions, webhook!].join('\n'))
    expect(printed).toContain('"delivered":true')
    expect(printed).toContain('signatureValid: true')
    expect(printed).toContain("'x-svc-test': 'true'")
  })

  test('the demo leaves a sealed PDF that third-party tools accept, also the second time', async () => {
    for (let times = 0; times < 2; times++) {
      const environment = { ...process.env, SEALWRIGHT_DATA_DIR: dataDir }
      const { stdout } = await run('npm', ['run', '--silent', 'demo'], { env: environment })
      expect(stdout).toContain('sealed: demo/garden-lease-signed.pdf')
      expect(stdout.match(/event signer\.signed, signature valid/g)).toHaveLength(2)
      expect(stdout).toContain('event envelope.completed, signature valid')
    }
    const sealed = path.join(folder, 'demo.pdf')
    await cp('demo/garden-lease-signed.pdf', sealed)
    expect((await stat(sealed)).size).toBeGreaterThan(20_000)
    expect(await judgeWithPdfsig(sealed)).toMatchObject([{ valid: true, wholeDocument: true }])
  })

  // requirements: running/starting/npm start
  test('the admin of dev.json signs in to the panel', async () => {
    const { status, body } = await panelClient(service.dev.baseUrl).signIn(service.dev.adminEmail, service.dev.adminPassword)
    expect([status, body.organisation?.id, body.admin?.role]).toEqual([200, service.dev.orgId, 'ADMIN'])
  })

  // requirements: running/commands/org
  test('the command line finds the running database through the data folder', async () => {
    const environment = { ...process.env, SEALWRIGHT_DATA_DIR: dataDir }
    const { stdout } = await run('npx', ['sealwright', 'org', 'list', '--json'], { env: environment })
    expect(JSON.parse(stdout)).toMatchObject([{ orgId: service.dev.orgId }])
    const { stdout: status } = await run('npx', ['sealwright', 'seal', 'status', '--json'], { env: environment })
    expect(JSON.parse(status)).toEqual([])
    await expect(run('npx', ['sealwright', 'seal'], { env: environment })).rejects.toMatchObject({ code: 2 })
  })
})

async function signWithCode(token: string, email: string): Promise<void> {
  const person = signer(service.dev.baseUrl, token)
  const { body: challenge } = await person.requestOtp()
  expect((await person.verifyOtp(challenge.challengeId, await mailedCode(email))).body.verified).toBe(true)
  await person.viewOpened()
  expect((await person.sign()).status).toBe(200)
}

async function mailedCode(email: string): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    const response = await fetch(service.dev.mailboxUrl, { headers: { Accept: 'application/json' } })
    const mails: { to: string; text: string }[] = JSON.parse(await response.text())
    const code = mails
      .filter(({ to }) => to === email)
      .map(({ text }) => /\b\d{6}\b/.exec(text)?.[0])
      .find(Boolean)
    if (code) return code
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('No code was mailed.')
}

describe('check-installation', () => {
  const check = async (...args: string[]) => {
    const settings = {
      SEALWRIGHT_DATA_DIR: dataDir,
      SEALWRIGHT_PUBLIC_URL: service.dev.baseUrl,
      SEALWRIGHT_INSTALLATION_KEY_FILE: path.join(dataDir, 'keys/installation.key'),
    }
    return runAsProcess(settings, ['check-installation', '--api', service.dev.baseUrl, ...args])
  }

  test('sends, signs, seals and verifies one envelope, and receives its webhook; again in the same organisation', async () => {
    const receiver = ['--receiver', `https://127.0.0.1:${await freePort()}/`, '--receiver-certificate', receiverCertificate]
    const first = await check(...receiver, '--json')
    expect([first.code, first.stderr]).toEqual([0, ''])
    const { steps } = JSON.parse(first.stdout) as { steps: string[] }
    expect(steps.slice(-2)).toEqual(['verified the seal', 'received envelope.completed, signature valid'])
    const second = await check(...receiver)
    expect([second.code, second.stderr]).toEqual([0, ''])
    expect(second.stdout).toContain(steps[0])
    expect((await check()).stdout).toContain('webhook not checked')
  })

  test('names what fails', async () => {
    const { code, stderr } = await check('--api', `http://127.0.0.1:${await freePort()}`)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:\d+ cannot be reached: [^\n]*ECONNREFUSED[^\n]*\n$/)
  })
})
