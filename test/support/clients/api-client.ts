// An API client as an integrator would write it: a token, JSON, multipart. Returns complete responses of any status.
export interface Answer {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  body: any
}

export interface ApiClient {
  token: string
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  send(
    method: string,
    path: string,
    options?: { body?: string | Uint8Array | FormData; headers?: Record<string, string> },
  ): Promise<Answer>
  upload(path: string, bytes: Uint8Array, part?: { name?: string; type?: string; field?: string }): Promise<Answer>
}

export async function apiClient(url: string, credential: { clientId: string; clientSecret: string }): Promise<ApiClient> {
  return clientWithToken(url, await accessToken(url, credential))
}

export async function accessToken(
  url: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): Promise<string> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret })
  const response = await fetch(`${url}/oauth2/token`, { method: 'POST', body: form })
  if (response.status !== 200) throw new Error(`No token: ${response.status} ${await response.text()}`)
  const { access_token: token }: { access_token: string } = JSON.parse(await response.text())
  return token
}

/** Without a token, an anonymous client. */
export function clientWithToken(url: string, token?: string): ApiClient {
  const send: ApiClient['send'] = async (method, path, { body, headers } = {}) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: { ...(token && { Authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { body: body instanceof Uint8Array ? new Uint8Array(body) : body }),
    })
    return toAnswer(response)
  }
  return {
    token: token ?? '',
    send,
    get: (path) => send('GET', path),
    post: (path, body) =>
      send(
        'POST',
        path,
        body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
      ),
    upload: (path, bytes, { name = 'document.pdf', type = 'application/pdf', field = 'file' } = {}) => {
      const form = new FormData()
      form.append(field, new Blob([new Uint8Array(bytes)], { type }), name)
      return send('POST', path, { body: form })
    },
  }
}

async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}
