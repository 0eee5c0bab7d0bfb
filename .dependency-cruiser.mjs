// The import rules. CONTRIBUTING.md, "Import rules", lists them by name.
import { readFileSync } from 'node:fs'

const TIERS = '^(api|controller|workers)/'

/** The folders whose rooms have an order. The table "room | holds" of their README lists them, bottom up: each may import only those before it. */
const ORDERED = ['core', 'core/account', 'core/pdf', 'core/platform', 'core/webhook', 'api/http']

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    forbid('core-knows-no-tier', 'the tiers share core, so it cannot depend on one of them', '^core/', TIERS),
    forbid('tiers-do-not-meet', 'tiers communicate over Postgres and NATS', '^(api|controller|workers)/', {
      path: TIERS,
      pathNot: '^$1/',
    }),
    ...ORDERED.flatMap((folder) => inOrder(folder, roomsOf(folder))),
    forbid('rules-are-pure', 'rules are pure functions of their arguments', '^core/.*/rules\\.ts$', {
      pathNot: [
        '^core/.*/rules\\.ts$',
        '^core/platform/(errors/|text/canonical-json\\.ts$)',
        '^core/(limits|ids)\\.ts$',
        '^(node:)?crypto$',
      ],
    }),
    forbid('tiers-know-no-store', 'tiers call use cases', TIERS, {
      path: '^core/.*store\\.ts$',
      pathNot: '^core/(platform/storage|installation)/',
    }),
    forbid(
      'postgres-package',
      'one folder opens connections',
      { pathNot: '^(core/platform/postgres|hack|test)/' },
      'node_modules/postgres/',
    ),
    forbid('express-package', 'routes are plain objects', { pathNot: '^(api/http|test)/' }, 'node_modules/(@types/)?express/'),
    forbid(
      'nats-package',
      'one folder uses NATS',
      { pathNot: '^(core/messaging/jetstream|hack|test)/' },
      'node_modules/(@nats-io|nats)/',
    ),
    forbid(
      'kubernetes-package',
      'one folder speaks to the API server',
      { pathNot: '^(core/platform/kubernetes|controller|hack|test)/' },
      '(^|node_modules/)@kubernetes/',
    ),
    forbid(
      'pdf-package',
      'only sealing and the repair of uploads use PDF and certificate libraries',
      {
        pathNot: '^(core/(pdf/normalise|pades|appearance|audit-report|signing-key)|hack|test)/|/crypto/server-certificate\\.ts$',
      },
      'node_modules/(pdf-lib|@hyzyla|@signpdf|@peculiar|node-forge|fontkit|harfbuzzjs)/',
    ),
    forbid(
      'placement-on-threads',
      'the search for free room takes too long for an event loop',
      { pathNot: '^(core/pdf/(placement|inspect)|test|hack)/|^core/.*-thread\\.ts$' },
      {
        path: '^core/pdf/placement/',
        pathNot: '/(seal-places|seal-box|ink-grid|page-view)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid('main-is-not-imported', 'a main is started, not imported', {}, { path: '(^|/)main\\.ts$', pathNot: '^api/pages/' }),
    forbid(
      'no-test-in-product',
      'the product does not depend on tests and tools',
      '^(core|api|controller|workers)/',
      '^(test|hack)/',
    ),
    forbid('pages-are-browser-code', 'pages reach the server over HTTP only', '^api/pages/', {
      path: '^(core|controller|workers|hack|test|api)/',
      pathNot: '^api/(pages|schemas)/',
    }),
    forbid('pages-are-browser-code', 'schemas are imported for their types alone, so that no zod is bundled', '^api/pages/', {
      path: '^api/schemas/',
      dependencyTypesNot: ['type-only'],
    }),
    forbid('pages-are-browser-code', 'the schemas of pages know values of core, no server code', '^api/pages/', {
      path: '^core/',
      pathNot: ['/rules\\.ts$', '^core/(ids|limits|messaging/subjects)\\.ts$', '^core/platform/(errors|text)/'],
      reachable: true,
    }),
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^api/pages/dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
  },
}

/** @returns {import('dependency-cruiser').IForbiddenRuleType} */
function forbid(name, comment, from, to) {
  return { name, comment, severity: 'error', from: where(from), to: where(to) }
}

function inOrder(folder, rooms) {
  const paths = rooms.map((room) => roomPath(folder, room))
  return [
    forbid('rooms-are-listed', `the README of ${folder} lists every room`, {}, { path: `^${folder}/`, pathNot: paths }),
    ...rooms.slice(0, -1).map((room, index) =>
      forbid('rooms-go-one-way', `${folder}/${room} imports only the rooms before it`, paths[index], {
        path: paths.slice(index + 1),
      }),
    ),
  ]
}

function roomPath(folder, room) {
  return room.endsWith('/') ? `^${folder}/${room}` : `^${folder}/${room.replace('.', '\\.')}$`
}

/** The first column of the table: folders as `delivery/`, files as `store.ts`. Throws without one. */
function roomsOf(folder) {
  const text = readFileSync(new URL(`${folder}/README.md`, import.meta.url), 'utf8')
  const [, rows] = /^\| room .*\n\|[-| ]+\n((?:\|.*\n)+)/m.exec(text) ?? []
  if (rows === undefined) throw new Error(`${folder}/README.md has no table of rooms.`)
  return rows.split('\n').flatMap((row) => Array.from(row.split('|')[1]?.matchAll(/`([^`]+)`/g) ?? [], ([, room]) => room))
}

function where(condition) {
  return typeof condition === 'string' ? { path: condition } : condition
}
