// The description's tags, by the paths of their operations.

interface Tag {
  name: string
  description: string
  /** The path prefixes of its operations. */
  under: readonly string[]
}

const API_TAGS: readonly Tag[] = [
  { name: 'Access tokens', description: 'OAuth 2.0 client credentials (RFC 6749, 4.4).', under: ['/oauth2', '/.well-known'] },
  {
    name: 'Documents',
    description: 'PDFs that are uploaded ahead of the envelope that takes them.',
    under: ['/api/v1/documents'],
  },
  { name: 'Envelopes', description: 'Draft, send, follow and cancel.', under: ['/api/v1/envelopes'] },
  { name: 'Workspaces', description: 'Where envelopes live and who may do what with them.', under: ['/api/v1/workspaces'] },
  {
    name: 'Signing ceremony',
    description: 'What a signer does behind the mailed link. The token in the path is the credential.',
    under: ['/api/v1/sign'],
  },
  { name: 'Verification', description: 'The public check of a signature.', under: ['/api/v1/verify'] },
  { name: 'Health', description: 'What probes ask.', under: ['/livez', '/readyz', '/openapi.json'] },
]

const PANEL_TAGS: readonly Tag[] = [
  {
    name: 'Session',
    description: 'Signing in and out.',
    under: ['/settings/api/session', '/settings/api/sign-in', '/settings/api/password', '/settings/api/oidc'],
  },
  { name: 'Organisation', description: 'Name, locale, retention, quotas with their use.', under: ['/settings/api/organisation'] },
  { name: 'Workspaces', description: 'Workspaces and their members.', under: ['/settings/api/workspaces'] },
  {
    name: 'People',
    description: 'Who may sign in to the panel, and what they did.',
    under: ['/settings/api/people', '/settings/api/activity'],
  },
  {
    name: 'Credentials',
    description: 'Client ids and secrets of programs that use the API.',
    under: ['/settings/api/credentials'],
  },
  { name: 'Webhooks', description: 'Where events are sent.', under: ['/settings/api/webhooks'] },
  { name: 'Signing keys', description: 'The keys and certificates that seal.', under: ['/settings/api/signing-keys'] },
  {
    name: 'Envelopes',
    description: 'Envelopes as people of the organisation see them, and their audit trails.',
    under: ['/settings/api/envelopes'],
  },
]

const TAGS = [...API_TAGS, ...PANEL_TAGS]

/** The tag of a path; `Further` when none matches, which fails a test. */
export function tagOf(path: string): string {
  return TAGS.find(({ under }) => under.some((start) => path === start || path.startsWith(`${start}/`)))?.name ?? 'Further'
}

/** The tags that these paths use, in reading order. */
export function tagsOf(paths: readonly string[]): { name: string; description: string }[] {
  const chapters = paths.some((path) => path.startsWith('/settings/')) ? PANEL_TAGS : API_TAGS
  return chapters
    .filter(({ under }) => paths.some((path) => under.some((start) => path === start || path.startsWith(`${start}/`))))
    .map(({ name, description }) => ({ name, description }))
}
