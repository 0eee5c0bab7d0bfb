// The panel's API as a browser uses it: a cookie jar, and the session's CSRF token on every change. Returns complete responses of any
// status.
import { hashPassword } from '#core/platform/crypto/password-hash.ts'
import { newId, type OrgId, PersonId } from '#core/ids.ts'
import { insertPerson } from '#core/account/person/store.ts'
import type { Database } from '#core/platform/postgres/client.ts'
import { type Answer, clientWithToken } from './api-client.ts'

const BASE = '/settings/api'
export const PASSWORD = 'correct horse battery staple'

export interface PanelClient {
  /** The session's; empty before sign-in. Tests may set another. */
  csrfToken: string
  /** Name to value. */
  cookies: Map<string, string>
  /** `path` below `/settings/api`. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  put(path: string, body?: unknown): Promise<Answer>
  patch(path: string, body?: unknown): Promise<Answer>
  delete(path: string, body?: unknown): Promise<Answer>
  /** Any path of the service, with the jar's cookies and the token; `headers` override them. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  signIn(email: string, password: string, code?: string): Promise<Answer>
}

/** A browser without a session. */
export function panelClient(url: string): PanelClient {
  const http = clientWithToken(url)
  const client: PanelClient = {
    csrfToken: '',
    cookies: new Map(),
    get: (path, headers) => client.send('GET', BASE + path, undefined, headers),
    post: (path, body) => client.send('POST', BASE + path, body),
    put: (path, body) => client.send('PUT', BASE + path, body),
    patch: (path, body) => client.send('PATCH', BASE + path, body),
    delete: (path, body) => client.send('DELETE', BASE + path, body),
    async send(method, path, body, headers) {
      const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ')
      const answer = await http.send(method, path, {
        ...(body !== undefined && { body: JSON.stringify(body) }),
        headers: {
          ...(cookie && { Cookie: cookie }),
          ...(client.csrfToken && method !== 'GET' && { 'X-CSRF-Token': client.csrfToken }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
      })
      keepCookies(client.cookies, answer.headers)
      return answer
    },
    async signIn(email, password, code) {
      const answer = await client.post('/session', { email, password, ...(code !== undefined && { code }) })
      if (answer.status === 200 && !answer.body.factorRequired) client.csrfToken = answer.body.csrfToken
      return answer
    },
  }
  return client
}

function keepCookies(jar: Map<string, string>, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (/expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name)
    else jar.set(name, value)
  }
}

export interface TestPerson {
  personId: PersonId
  email: string
  password: string
}

/** Shared by all people of a file, because hashing takes a moment. */
let passwordHash: Promise<string> | undefined

/** A person who can sign in; `system`: a pool of the system role. */
export async function aPerson(
  system: Database,
  orgId: OrgId,
  { role = 'ADMIN', email }: { role?: 'ADMIN' | 'MEMBER'; email?: string } = {},
): Promise<TestPerson> {
  const personId = newId(PersonId)
  const person = { personId, email: email ?? `${role.toLowerCase()}-${personId.slice(0, 8)}@example.test`, password: PASSWORD }
  passwordHash ??= hashPassword(PASSWORD)
  await insertPerson(system, orgId, { id: personId, email: person.email, name: 'Robin', role, passwordHash: await passwordHash })
  return person
}

/** A browser with a new person signed in. */
export async function signedIn(
  service: { url: string; system: { database: Database }; organisation: { orgId: OrgId } },
  options: { role?: 'ADMIN' | 'MEMBER'; orgId?: OrgId } = {},
): Promise<PanelClient & { person: TestPerson }> {
  const person = await aPerson(service.system.database, options.orgId ?? service.organisation.orgId, options)
  const client = panelClient(service.url)
  const { status, body } = await client.signIn(person.email, person.password)
  if (status !== 200) throw new Error(`Could not sign in: ${status} ${JSON.stringify(body)}`)
  return Object.assign(client, { person })
}
