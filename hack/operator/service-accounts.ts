// Kubeconfig files of ServiceAccounts, as pods have them: with tokens that expire after an hour and are replaced in time.
import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Source } from '#core/platform/kubernetes/cluster-access.ts'
import { readKubeconfig } from '#core/platform/kubernetes/kubeconfig.ts'
import type { Kube } from '#core/platform/kubernetes/open-kube.ts'
import { sleep } from '#core/platform/process/sleep.ts'
import { requestToken } from '../servers/kube-setup.ts'
import { writeKubeconfig } from '../servers/kubeconfig-file.ts'

export interface AccountsOptions {
  /** May create tokens. */
  kube: Kube
  /** Its file, which names the authority of the server. */
  kubeconfig: string
  /** Receives the files. */
  folder: string
  namespace: string
  names: readonly string[]
}

export interface Accounts extends AsyncDisposable {
  /** The kubeconfig file of an account. */
  kubeconfig(name: string): string
}

const TOKEN_SECONDS = 3_600
const RENEW_AFTER_MS = 1_800_000
/** Interval by the wall clock: a laptop that slept through the renewal is up to date soon after it woke up. */
const CHECK_EVERY_MS = 30_000

/** Writes the files and keeps the tokens valid. Disposing ends that. */
export async function startAccounts(options: AccountsOptions): Promise<Accounts> {
  const file = (name: string) => path.join(options.folder, `${name}.kubeconfig`)
  await renewTokens(options)
  for (const name of options.names) await writeAccount(options, name, file(name))
  const stop = new AbortController()
  const renewing = renewUntil(options, stop.signal)
  return {
    kubeconfig: file,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await renewing
    },
  }
}

async function writeAccount({ kubeconfig, folder, namespace }: AccountsOptions, name: string, file: string): Promise<void> {
  const { server, authority, serverName, skipVerify } = readKubeconfig(kubeconfig)
  await writeKubeconfig(file, {
    server,
    ...(authority && { authority: await fileOf(authority, path.join(folder, 'authority.crt')) }),
    ...(serverName !== undefined && { serverName }),
    ...(skipVerify && { skipVerify }),
    user: { name, tokenFile: tokenFile(folder, name) },
    namespace,
  })
}

async function fileOf(source: Source, copy: string): Promise<string> {
  if ('file' in source) return source.file
  await writeFile(copy, source.text)
  return copy
}

async function renewUntil(options: AccountsOptions, signal: AbortSignal): Promise<void> {
  let renewedAt = Date.now()
  while (!signal.aborted) {
    await sleep(CHECK_EVERY_MS, signal)
    const age = Math.abs(Date.now() - renewedAt)
    if (signal.aborted || age < RENEW_AFTER_MS) continue
    try {
      await renewTokens(options, signal)
      renewedAt = Date.now()
    } catch (error) {
      if (!signal.aborted) console.log(`Tokens of ServiceAccounts were not renewed and will be: ${String(error)}`)
    }
  }
}

async function renewTokens({ kube, folder, namespace, names }: AccountsOptions, signal?: AbortSignal): Promise<void> {
  for (const name of names) {
    const token = await requestToken(kube.requests, namespace, name, TOKEN_SECONDS, signal)
    const file = tokenFile(folder, name)
    await writeFile(`${file}.new`, token, { mode: 0o600 })
    await rename(`${file}.new`, file)
  }
}

function tokenFile(folder: string, name: string): string {
  return path.join(folder, `${name}.token`)
}
