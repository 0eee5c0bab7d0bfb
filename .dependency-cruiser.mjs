// The import rules. CONTRIBUTING.md, "Import rules", lists them by name.
const TIERS = '^(api|controller|workers)/'

/** The rooms of core, bottom up: each may import only those before it. `core/README.md` describes them. */
const ROOMS = [
  'ids.ts',
  'limits.ts',
  'platform',
  'png',
  'pdf',
  'appearance',
  'pades',
  'thread-pools.ts',
  'context.ts',
  'installation',
  'messaging',
  'event',
  'work',
  'mirror',
  'audit',
  'signing-key',
  'mail',
  'account',
  'envelope',
  'webhook',
  'work-kinds.ts',
  'seal',
  'audit-report',
  'backup',
  'key-rotation',
  'schema',
]

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    forbid('core-knows-no-tier', 'the tiers share core, so it cannot depend on one of them', '^core/', TIERS),
    forbid('tiers-do-not-meet', 'tiers communicate over Postgres and NATS', '^(api|controller|workers)/', {
      path: TIERS,
      pathNot: '^$1/',
    }),
    forbid(
      'core-has-only-rooms',
      'ROOMS lists every folder of core',
      {},
      {
        path: '^core/',
        pathNot: ROOMS.map((room) => roomPath(room)),
      },
    ),
    ...ROOMS.map((room, index) =>
      forbid('core-goes-one-way', `${room} imports only the rooms before it`, roomPath(room), {
        path: ROOMS.slice(index + 1).map((later) => roomPath(later)),
      }),
    ),
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

function roomPath(room) {
  return room.endsWith('.ts') ? `^core/${room.replace('.', '\\.')}$` : `^core/${room}/`
}

function where(condition) {
  return typeof condition === 'string' ? { path: condition } : condition
}
