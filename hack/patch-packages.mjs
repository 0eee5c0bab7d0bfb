// Corrections of pinned packages that their makers have not released yet: applied after every installation, refused when the package is another one.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

// postgres 3.4.9 and connections that are lost (porsager/postgres issues 1066, 1154, 1208). What was still to be written ended the process or was
// written to the next connection; a statement asked for between a reset and its end was never answered; an answer of the old connection was given
// on the new one; a new connection lost while it asked for its types ended the process; whoever waited to reserve a connection was forgotten when one
// was lost. A reserved connection told nobody of its loss: what its holder still asked for waited for ever, or went to whoever had the next connection;
// one that was asked for while the pool ended was waited for until the time-out, as was one that was given back then. On a reserved connection a
// statement whose plan was outdated was run again behind all that had been sent meanwhile. Whoever could not have a connection, because none came to
// be, was given one later all the same, and nobody ever gave it back. Whoever waited for an answer on a connection that went silent, without an end,
// waited for as long as TCP does, a quarter of an hour: silence_timeout ends it.
const RESERVED = `    let held = true
    sql.refuse = error => { refusal = refusal || error }
    sql.lost = new Promise((_, reject) => c.onclose = error => {
      held = false
      sql.refuse(error)
      while (queue.length)
        queue.shift().reject(error)
      reject(error)
    })
    sql.lost.catch(() => {})
    sql.release = () => {
      if (!held)
        return

      held = false
      sql.refuse(Errors.generic('CONNECTION_RELEASED', 'This connection was given back'))
      c.onclose = c.reserved = null
      c.free()
    }

    return sql

    function handler(q) {
      if (refusal)
        return q.reject(refusal)

`

const PATCHES = [
  {
    file: 'postgres/src/connection.js',
    changes: [
      [
        '      , connectTimer = timer(connectTimedOut, options.connect_timeout)\n',
        '      , connectTimer = timer(connectTimedOut, options.connect_timeout)\n      , silenceTimer = timer(() => socket && socket.destroy(), options.silence_timeout)\n',
      ],
      ['      q.state = backend\n      query\n', '      q.state = backend\n      silenceTimer.start()\n      query\n'],
      [
        '  function data(x) {\n    if (incomings) {\n',
        '  function awaitData() {\n    query || sent.length ? silenceTimer.start() : silenceTimer.cancel()\n  }\n\n  function data(x) {\n    awaitData()\n    if (incomings) {\n',
      ],
      [
        '      remaining = 0\n      incomings = null\n    }\n  }\n',
        '      remaining = 0\n      incomings = null\n    }\n    awaitData()\n  }\n',
      ],
      [
        '    connectTimer.cancel()\n\n    socket.removeAllListeners()\n',
        '    connectTimer.cancel()\n    silenceTimer.cancel()\n\n    socket.removeAllListeners()\n',
      ],
      [
        '  function nextWrite(fn) {\n',
        '  function nextWrite(fn) {\n    if (socket === null)\n      return (chunk = nextWriteTimer = null, false)\n\n',
      ],
      [
        '    clearImmediate(nextWriteTimer)\n    if (socket) {\n',
        '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    if (socket) {\n',
      ],
      [
        "    clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)\n",
        "    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener('data', data)\n",
      ],
      [
        "    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
        "    ;(query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n    query = results = errorResponse = null\n",
      ],
      ['        return fetchArrayTypes()\n', '        return fetchArrayTypes().catch(() => {})\n'],
      [
        '            ? retry(query, errorResponse)\n',
        '            ? connection.reserved\n              ? (delete statements[query.signature], errored(errorResponse))\n              : retry(query, errorResponse)\n',
      ],
      [
        '    terminate,\n    execute,\n',
        '    terminate,\n    free() {\n      ending ? terminate() : onopen(connection)\n    },\n    execute,\n',
      ],
      [
        "    if (stream)\n      return queryError(q, Errors.generic('COPY_IN_PROGRESS'",
        "    if (socket === null)\n      return (queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true)\n\n    if (stream)\n      return queryError(q, Errors.generic('COPY_IN_PROGRESS'",
      ],
    ],
  },
  {
    file: 'postgres/src/index.js',
    changes: [
      ['    connect_timeout : 30,\n', '    connect_timeout : 30,\n    silence_timeout : null,\n'],
      [
        '  async function reserve() {\n    const queue = Queue()\n',
        "  async function reserve() {\n    if (ending)\n      throw Errors.connection('CONNECTION_ENDED', options, options)\n\n    const queue = Queue()\n    let refusal = null\n",
      ],
      [
        '        const query = { reserve: resolve, reject }\n',
        '        const query = { reserve: resolve, reject: error => (queries.remove(query), reject(error)) }\n',
      ],
      [
        '    sql.release = () => {\n      c.reserved = null\n      onopen(c)\n    }\n\n    return sql\n\n    function handler(q) {\n',
        RESERVED,
      ],
      [
        '    queries.length && connect(c, queries.shift())\n  }\n}',
        '    if (queries.length) {\n      const next = queries.shift()\n      next.reserve && queries.push(next)\n      connect(c, next)\n    }\n  }\n}',
      ],
    ],
  },
]

/** Applies what is not applied yet under the folder of packages. Throws one sentence when a package is not the one that the correction is for. */
export function patchPackages(modules) {
  for (const { file, changes } of PATCHES) {
    const target = path.join(modules, file)
    const found = readFileSync(target, 'utf8')
    const patched = changes.reduce((text, [before, after]) => patch(text, before, after, file), found)
    if (patched !== found) writeFileSync(target, patched)
  }
}

function patch(text, before, after, file) {
  if (text.includes(after)) return text
  if (text.split(before).length !== 2) throw new Error(`The patch of node_modules/${file} does not apply to this version.`)
  return text.replace(before, () => after)
}

// As npm runs it after an installation of its own.
if (process.argv[1] === fileURLToPath(import.meta.url)) patchPackages(path.resolve(import.meta.dirname, '..', 'node_modules'))
