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
    description: 'Upload PDFs before you create the envelope.',
    under: ['/api/v1/documents'],
  },
  { name: 'Envelopes', description: 'Create, send, track and cancel envelopes.', under: ['/api/v1/envelopes'] },
  { name: 'Workspaces', description: 'Groups of envelopes with their own permissions.', under: ['/api/v1/workspaces'] },
  {
    name: 'Signing ceremony',
    description:
      'The steps of a signer, from opening the emailed link to the signed copy. The token in the path is the credential.',
    under: ['/api/v1/sign'],
  },
  { name: 'Verification', description: 'Check a signature. No credential required.', under: ['/api/v1/verify'] },
  { name: 'Health', description: 'Probes and this document.', under: ['/livez', '/readyz', '/openapi.json'] },
]

const PANEL_TAGS: readonly Tag[] = [
  {
    name: 'Session',
    description: 'Sign in and out.',
    under: ['/settings/api/session', '/settings/api/sign-in', '/settings/api/password', '/settings/api/oidc'],
  },
  { name: 'Second factor', description: 'Codes of an authenticator app.', under: ['/settings/api/factor'] },
  {
    name: 'Organisation',
    description: 'Name, language, retention, and quotas with their current use.',
    under: ['/settings/api/organisation'],
  },
  { name: 'Workspaces', description: 'Workspaces and their members.', under: ['/settings/api/workspaces'] },
  {
    name: 'People',
    description: 'Who can sign in to the panel, and the activity log.',
    under: ['/settings/api/people', '/settings/api/activity'],
  },
  {
    name: 'Credentials',
    description: 'Client ids and secrets for programs that use the API.',
    under: ['/settings/api/credentials'],
  },
  { name: 'Webhooks', description: 'The endpoints that receive events.', under: ['/settings/api/webhooks'] },
  { name: 'Signing keys', description: 'Keys and certificates used for sealing.', under: ['/settings/api/signing-keys'] },
  {
    name: 'Envelopes',
    description: 'Envelopes of the organisation and their audit trails.',
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
