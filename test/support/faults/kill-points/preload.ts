// Preloaded into a process that must die at kill points: intercepts its effects at the edges and leaves the product's code unchanged.
import { ServerResponse } from 'node:http'
import { registerHooks } from 'node:module'
import { Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'
import { dieAtKillPoints, pass } from './kill-points.ts'

const WATCHED_POSTGRES = new URL('watched-postgres.ts', import.meta.url).href

if (isMainThread) {
  dieAtKillPoints(new URL(import.meta.url).searchParams.get('folder') ?? '')
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'postgres' && context.parentURL !== WATCHED_POSTGRES
        ? { url: WATCHED_POSTGRES, shortCircuit: true }
        : next(specifier, context),
  })
  watchAnswers()
  watchWrites()
}

function watchAnswers(): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { end } = ServerResponse.prototype
  // `end` has many overloads, which are only passed on.
  ServerResponse.prototype.end = function (this: ServerResponse, ...given: unknown[]) {
    const [body] = given
    const { method, url } = this.req
    pass('answer', `${method} ${url} ${this.statusCode} ${textOf(body)}`)
    return Reflect.apply(end, this, given)
  }
}

function watchWrites(): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { write } = Socket.prototype
  Socket.prototype.write = function (this: Socket, ...given: unknown[]) {
    pass('write', textOf(given[0]))
    return Reflect.apply(write, this, given)
  }
}

function textOf(data: unknown): string {
  if (typeof data === 'string') return data
  return data instanceof Uint8Array ? Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1') : ''
}
