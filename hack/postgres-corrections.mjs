// Corrections of postgres 3.4.9, which are not released yet. Each names what happens without it, and the issues of porsager/postgres that report it.
// A start without them is refused (core/platform/postgres/client.ts).

const CONNECTION = 'postgres/src/connection.js'
const INDEX = 'postgres/src/index.js'

/** Each change replaces a text that occurs once in its file. */
export const POSTGRES_CORRECTIONS = [
  {
    without: "Statements on a silent connection wait for TCP's time-out of 15 minutes; the option silence_timeout ends it.",
    issues: [],
    changes: [
      [
        CONNECTION,
        '      , connectTimer = timer(connectTimedOut, options.connect_timeout)\n',
        '      , connectTimer = timer(connectTimedOut, options.connect_timeout)\n      , silenceTimer = timer(() => socket && socket.destroy(), options.silence_timeout)\n',
      ],
      [
        CONNECTION,
        '      q.state = backend\n      query\n',
        '      q.state = backend\n      silenceTimer.start()\n      query\n',
      ],
      [
        CONNECTION,
        '  function data(x) {\n    if (incomings) {\n',
        `  function awaitData() {
    query || sent.length ? silenceTimer.start() : silenceTimer.cancel()
  }

  function data(x) {
    awaitData()
    if (incomings) {
`,
      ],
      [
        CONNECTION,
        '      remaining = 0\n      incomings = null\n    }\n  }\n',
        '      remaining = 0\n      incomings = null\n    }\n    awaitData()\n  }\n',
      ],
      [
        CONNECTION,
        '    connectTimer.cancel()\n\n    socket.removeAllListeners()\n',
        '    connectTimer.cancel()\n    silenceTimer.cancel()\n\n    socket.removeAllListeners()\n',
      ],
      [INDEX, '    connect_timeout : 30,\n', '    connect_timeout : 30,\n    silence_timeout : null,\n'],
    ],
  },
  {
    without: 'Unsent data of a lost connection ends the process, or goes to the next connection.',
    issues: [1066, 1154, 1208],
    changes: [
      [
        CONNECTION,
        '  function nextWrite(fn) {\n',
        '  function nextWrite(fn) {\n    if (socket === null)\n      return (chunk = nextWriteTimer = null, false)\n\n',
      ],
      [
        CONNECTION,
        '    clearImmediate(nextWriteTimer)\n    if (socket) {\n',
        '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    if (socket) {\n',
      ],
      [
        CONNECTION,
        "    clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)\n",
        "    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener('data', data)\n",
      ],
    ],
  },
  {
    without:
      'A statement between a reset and its end is never answered, and an answer of the old connection can arrive on the new one.',
    issues: [1216],
    changes: [
      [
        CONNECTION,
        "    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
        "    ;(query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n    query = results = errorResponse = null\n",
      ],
      [
        CONNECTION,
        "    if (stream)\n      return queryError(q, Errors.generic('COPY_IN_PROGRESS'",
        "    if (socket === null)\n      return (queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true)\n\n    if (stream)\n      return queryError(q, Errors.generic('COPY_IN_PROGRESS'",
      ],
    ],
  },
  {
    without: 'A connection lost while it fetches its types ends the process.',
    issues: [1192, 1223],
    changes: [[CONNECTION, '        return fetchArrayTypes()\n', '        return fetchArrayTypes().catch(() => {})\n']],
  },
  {
    without: 'A statement with an outdated plan on a reserved connection is repeated after statements sent later.',
    issues: [],
    changes: [
      [
        CONNECTION,
        '            ? retry(query, errorResponse)\n',
        '            ? connection.reserved\n              ? (delete statements[query.signature], errored(errorResponse))\n              : retry(query, errorResponse)\n',
      ],
    ],
  },
  {
    without:
      'The statements after a failed one of a transaction fail with 25P02, and nothing says why; `cause` is the error before.',
    issues: [],
    changes: [
      [
        CONNECTION,
        '      errorResponse = Errors.postgres(parseError(x))\n    } else {\n',
        `      errorResponse = Errors.postgres(parseError(x))
      if (errorResponse.code === '25P02')
        errorResponse.cause = connection.failure
      else
        connection.failure = errorResponse
    } else {
`,
      ],
    ],
  },
  {
    without:
      'A reserved connection does not report its loss: later statements hang, or run on the connection of another holder. Released while the pool ends, it keeps the pool open.',
    issues: [1186, 1199],
    changes: [
      [
        CONNECTION,
        '    terminate,\n    execute,\n',
        '    terminate,\n    free() {\n      ending ? terminate() : onopen(connection)\n    },\n    execute,\n',
      ],
      [
        INDEX,
        `    sql.release = () => {
      c.reserved = null
      onopen(c)
    }

    return sql

    function handler(q) {
`,
        `    let held = true
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

`,
      ],
    ],
  },
  {
    without:
      'A pending reserve() is never settled when the pool ends; one that failed gets a connection later, which is never released.',
    issues: [],
    changes: [
      [
        INDEX,
        '  async function reserve() {\n    const queue = Queue()\n',
        `  async function reserve() {
    if (ending)
      throw Errors.connection('CONNECTION_ENDED', options, options)

    const queue = Queue()
    let refusal = null
`,
      ],
      [
        INDEX,
        '        const query = { reserve: resolve, reject }\n',
        '        const query = { reserve: resolve, reject: error => (queries.remove(query), reject(error)) }\n',
      ],
    ],
  },
  {
    without: 'A pending reserve() is dropped with the connection that it waits for.',
    issues: [1195],
    changes: [
      [
        INDEX,
        '    queries.length && connect(c, queries.shift())\n  }\n}',
        `    if (queries.length) {
      const next = queries.shift()
      next.reserve && queries.push(next)
      connect(c, next)
    }
  }
}`,
      ],
    ],
  },
]
