// Finds a free TCP port. A process of another kind may take it before it is used, so the caller must be ready to retry.
import { randomInt } from 'node:crypto'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Below the range from which systems take the ports of outgoing connections: such a port would often be taken before it is used. */
const [LOWEST, HIGHEST] = [15_000, 32_000]
const MOST_TRIES = 100
/** Longer than a server needs to start, also again after it was killed. */
const CLAIM_MS = 10 * 60_000
/** A file for each port that was given out: test files and the services that they start look for ports at the same time. */
const CLAIMS = path.join(tmpdir(), 'sealwright-ports')

/** Resolves with a free port of this host, or with the wanted one. Rejects when that is taken or the host is not local. */
export async function freePort(host = '127.0.0.1', wanted = 0): Promise<number> {
  if (wanted > 0) return probe(host, wanted)
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const port = randomInt(LOWEST, HIGHEST)
    if (claim(port) && (await isFree(host, port))) return port
  }
  throw new Error(`None of ${MOST_TRIES} ports from ${LOWEST} to ${HIGHEST} is free.`)
}

/** Resolves with the first of `count` free ports in a row of this machine. */
export async function freePorts(count: number): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const first = randomInt(LOWEST, HIGHEST - count)
    const ports = Array.from({ length: count }, (_, index) => first + index)
    const areFree = await Promise.all(ports.map(async (port) => claim(port) && (await isFree('127.0.0.1', port))))
    if (!areFree.includes(false)) return first
  }
  throw new Error(`No ${count} ports in a row from ${LOWEST} to ${HIGHEST} are free.`)
}

/** False when it was given out a short time ago. */
function claim(port: number): boolean {
  mkdirSync(CLAIMS, { recursive: true })
  const file = path.join(CLAIMS, String(port))
  const givenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  if (givenAt !== undefined && Date.now() - givenAt < CLAIM_MS) return false
  try {
    // Of two that look at the same moment one creates the file; an old one both may take, which is rare enough.
    writeFileSync(file, '', { flag: givenAt === undefined ? 'wx' : 'w' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

async function isFree(host: string, port: number): Promise<boolean> {
  try {
    await probe(host, port)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  }
}

function probe(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => server.close(() => resolve(port)))
  })
}
