// Listens on the port of the earlier start, so that webhooks that name it still reach the receiver.
import type { Server } from 'node:https'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AddressInfo } from 'node:net'
import type { DataFolder } from '../data-folder.ts'

export const LOOPBACK = '127.0.0.1'

/** Returns the port: the earlier one, or another when that is taken. */
export async function listenAsBefore(server: Server, folder: DataFolder): Promise<number> {
  const file = path.join(folder.root, 'webhook-receiver-port')
  const before = Number(await readFile(file, 'utf8').catch(() => '0'))
  const port = await listen(server, before).catch(async (error: NodeJS.ErrnoException) => {
    if (before === 0 || error.code !== 'EADDRINUSE') throw error
    const other = await listen(server, 0)
    console.log(`NOTE: port ${before} of the webhook receiver is taken. It uses ${other}; webhooks with the old URL fail.`)
    return other
  })
  if (port !== before) await writeFile(file, String(port))
  return port
}

function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const onListening = (): void => {
    server.off('error', reject)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server
    resolve((server.address() as AddressInfo).port)
  }
  server.once('error', reject).listen(port, LOOPBACK, onListening)
  return promise.finally(() => server.off('listening', onListening))
}
