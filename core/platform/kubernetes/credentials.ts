// The credentials of one access, read from their files again as they age: tokens of ServiceAccounts are replaced every hour.
import { readFile } from 'node:fs/promises'
import { KubeUnreachable } from './kube-error.ts'
import type { ClusterAccess, Source } from './cluster-access.ts'

export interface TlsMaterial {
  ca?: string
  cert?: string
  key?: string
  servername?: string
  rejectUnauthorized?: boolean
}

export interface Identity {
  /** The header's value. */
  authorization?: string
  tls: TlsMaterial
}

export interface Credentials {
  /** What to sign in with now. Throws KubeUnreachable when nothing could ever be read. */
  current(): Promise<Identity>
  /** Reads everything again, also what a program printed. Returns whether it changed. */
  reread(): Promise<boolean>
  /** Lets the next `current` read the files again, for example after a failed handshake. */
  expire(): void
}

/** client-go re-reads tokens as often. */
const FRESH_MS = 60_000

/** `elapsedMs` is a monotonic clock: a wall clock that is set back would keep an expired token in use. */
export function newCredentials(access: ClusterAccess, elapsedMs: () => number = () => performance.now()): Credentials {
  let known: { identity: Identity; readAt: number } | undefined
  let reading: Promise<Identity> | undefined
  let program = newProgram(access)

  async function read(): Promise<Identity> {
    try {
      const identity = await readIdentity(access, program)
      // An unchanged identity stays the same object: connections are kept for as long as their TLS material does.
      const kept = known && isSame(known.identity.tls, identity.tls) ? { ...identity, tls: known.identity.tls } : identity
      known = { identity: kept, readAt: elapsedMs() }
      return kept
    } catch (error) {
      // Files that are just being replaced can be missing for a moment; the server decides whether the old ones still do.
      if (known) return known.identity
      throw error
    }
  }
  const readOnce = () => (reading ??= read().finally(() => (reading = undefined)))
  return {
    async current() {
      return known && elapsedMs() - known.readAt < FRESH_MS ? known.identity : readOnce()
    },
    async reread() {
      const before = known?.identity
      await reading?.catch(() => {})
      program = newProgram(access)
      const after = await readOnce()
      return after.authorization !== before?.authorization || after.tls !== before?.tls
    },
    expire() {
      if (known) known.readAt = -Infinity
    },
  }
}

async function readIdentity(access: ClusterAccess, program: Program | undefined): Promise<Identity> {
  const [ca, cert, key, token] = await Promise.all([
    textOf(access.authority),
    textOf(access.certificate),
    textOf(access.key),
    textOf(access.token),
  ])
  const printed: Partial<Identity> = (await program?.()) ?? {}
  const authorization = printed.authorization ?? bearer(token)
  return {
    ...(authorization !== undefined && { authorization }),
    tls: {
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...printed.tls,
      ...(access.serverName !== undefined && { servername: access.serverName }),
      ...(access.skipVerify && { rejectUnauthorized: false }),
    },
  }
}

function bearer(token: string | undefined): string | undefined {
  return token === undefined ? undefined : `Bearer ${token.trim()}`
}

async function textOf(source: Source | undefined): Promise<string | undefined> {
  if (source === undefined || 'text' in source) return source?.text
  try {
    return await readFile(source.file, 'utf8')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new KubeUnreachable('credentials', `Credentials for the API server cannot be read: ${why}`, cause)
  }
}

/** Runs the program of the access unless what it printed is still valid. */
type Program = () => Promise<Identity>

function newProgram({ exec }: ClusterAccess): Program | undefined {
  if (!exec) return undefined
  let loading: ReturnType<typeof loadExecAuth> | undefined
  return async () => {
    const options: { headers: Record<string, string>; cert?: string; key?: string } = { headers: {} }
    try {
      const auth = await (loading ??= loadExecAuth())
      await auth.applyAuthentication(exec, options)
    } catch {
      // Neither what it printed nor what the parser says about it may be logged.
      throw new KubeUnreachable('credentials', `The credential program ${exec.exec?.command} failed.`)
    }
    const { cert, key } = options
    const authorization = options.headers['Authorization']
    return {
      ...(authorization !== undefined && { authorization }),
      tls: { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) },
    }
  }
}

/** This file of the package alone: the whole takes 90 MB. */
async function loadExecAuth() {
  const { ExecAuth } = await import('@kubernetes/client-node/dist/exec_auth.js')
  return new ExecAuth()
}

function isSame(one: TlsMaterial, other: TlsMaterial): boolean {
  return (['ca', 'cert', 'key', 'servername', 'rejectUnauthorized'] as const).every((name) => one[name] === other[name])
}
