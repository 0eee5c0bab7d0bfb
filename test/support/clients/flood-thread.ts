// Sends one endless request from a thread, so that the server has its event loop for itself.
import { workerData } from 'node:worker_threads'
import { endlessRequest } from './endless-request.ts'

const { url, head, piece } = workerData as { url: string; head: Uint8Array; piece: Uint8Array }
await endlessRequest(url, Buffer.from(head), Buffer.from(piece))
