// Fixes of pinned packages that are not released yet: applied after every installation, refused for another version.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

// postgres 3.4.9 and lost connections (porsager/postgres issues 1066, 1154, 1208). Without these fixes:
// - unsent data of a lost connection ended the process or went to the next connection;
// - a statement between a reset and its end was never answered, and an old connection's answer could arrive on the new one;
// - a new connection lost while it fetched its types ended the process;
// - a pending reserve() was dropped with a lost connection, and never settled when the pool ended before the time-out;
// - a reserved connection did not report its loss: later statements hung or ran on another holder's connection;
// - a reserved connection released while the pool ended kept the pool open until the time-out;
// - a statement with an outdated plan on a reserved connection was repeated after statements sent later;
// - a reserve() that had failed got a connection later, which was never released;
// - after a failed statement the others of its transaction fail with 25P02, and nothing in them said why: `cause` is the error before;
// - a silent connection blocked its statements for TCP's time-out of 15 minutes: silence_timeout ends it.
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
    // Without it, Node loads 350 modules for pdf-lib, each compiled twice to find out its format: 0.3 s of processor time for every thread that draws.
    // The package contains the same code as one module.
    file: 'pdf-lib/package.json',
    changes: [['"import": "./es/index.js"', '"import": "./dist/pdf-lib.esm.js"']],
    // The types stay CommonJS.
    added: { file: 'pdf-lib/dist/package.json', text: '{ "type": "module" }\n' },
  },
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
        '      errorResponse = Errors.postgres(parseError(x))\n    } else {\n',
        "      errorResponse = Errors.postgres(parseError(x))\n      if (errorResponse.code === '25P02')\n        errorResponse.cause = connection.failure\n      else\n        connection.failure = errorResponse\n    } else {\n",
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

/** Applies missing fixes under the folder of packages. Throws a one-line message when a package is not the version that a fix is for. */
export function patchPackages(modules) {
  for (const { file, changes, added } of PATCHES) {
    const target = path.join(modules, file)
    const found = readFileSync(target, 'utf8')
    const patched = changes.reduce((text, [before, after]) => patch(text, before, after, file), found)
    if (added && !existsSync(path.join(modules, added.file))) replaceFile(path.join(modules, added.file), added.text)
    if (patched !== found) replaceFile(target, patched)
  }
}

/** Replaces the file by renaming, because other folders of packages may have links to the file, and a process may be reading it. */
function replaceFile(file, text) {
  const next = `${file}.${process.pid}`
  writeFileSync(next, text)
  renameSync(next, file)
}

function patch(text, before, after, file) {
  if (text.includes(after)) return text
  if (text.split(before).length !== 2) throw new Error(`The patch of node_modules/${file} does not apply to this version.`)
  return text.replace(before, () => after)
}

// npm runs it like this after an installation.
if (process.argv[1] === fileURLToPath(import.meta.url)) patchPackages(path.resolve(import.meta.dirname, '..', 'node_modules'))
