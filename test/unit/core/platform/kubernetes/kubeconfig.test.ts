// What a kubeconfig may say, and that its secrets are quoted nowhere.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readKubeconfig } from '#core/platform/kubernetes/kubeconfig.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-kubeconfig-'))
let count = 0

async function newFile(text: string): Promise<string> {
  const file = path.join(folder, `config-${count++}`)
  await writeFile(file, text)
  return file
}

/** With this user, in the flow form of YAML. */
function config(user: string, cluster = 'server: "https://10.0.0.1:6443/"'): string {
  return `
apiVersion: v1
kind: Config
current-context: here
contexts: [{ name: elsewhere, context: { cluster: other } }, { name: here, context: { cluster: ours, user: me } }]
clusters: [{ name: ours, cluster: { ${cluster} } }]
users: [{ name: me, user: { ${user} } }]
`
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each([
  ['a token', 'token: abc', { token: { text: 'abc' } }],
  ['a token file, which wins over a token', 'tokenFile: t, token: abc', { token: { file: path.join(folder, 't') } }],
  [
    'files of a certificate and its key',
    'client-certificate: a.crt, client-key: /keys/a.key',
    { certificate: { file: path.join(folder, 'a.crt') }, key: { file: '/keys/a.key' } },
  ],
  [
    'a certificate and its key inline',
    `client-certificate-data: ${base64('cert')}, client-key-data: ${base64('key')}`,
    { certificate: { text: 'cert' }, key: { text: 'key' } },
  ],
  ['a token, beside an empty name', 'token: abc, username: "", password: ""', { token: { text: 'abc' } }],
  ['a program', 'exec: { apiVersion: x, command: get-token }', { exec: { exec: { command: 'get-token', args: [] } } }],
])('a user signs in with %s', async (_, user, expected) => {
  const access = readKubeconfig(await newFile(config(user)))
  expect(access).toMatchObject({ server: 'https://10.0.0.1:6443', ...expected })
})

test('the authority of the cluster is a file beside the kubeconfig, or inline', async () => {
  const server = 'server: https://a.example'
  const file = readKubeconfig(await newFile(config('token: a', `${server}, certificate-authority: ca.crt`)))
  expect(file.authority).toEqual({ file: path.join(folder, 'ca.crt') })
  const data = `${server}, certificate-authority-data: ${base64('PEM')}, tls-server-name: b.example`
  const inline = readKubeconfig(await newFile(config('token: a', data)))
  expect(inline).toMatchObject({ authority: { text: 'PEM' }, serverName: 'b.example' })
})

test.each([
  ['no YAML', 'users: [{ token: "S3CRET" }', 'it is not YAML'],
  ['another document', '- S3CRET', 'missing, invalid or not supported: the file'],
  [
    'a context that is missing',
    config('token: S3CRET').replace('current-context: here', 'current-context: there'),
    'no context there',
  ],
  ['a cluster that is missing', config('token: S3CRET').replace('name: ours', 'name: theirs'), 'no cluster ours'],
  ['a user that is missing', config('token: S3CRET').replace('[{ name: me', '[{ name: you'), 'no user me'],
  ['a token that is a number', config('token: 53125'), 'users.0.user.token'],
  [
    'a way to sign in that is not supported',
    config('auth-provider: { name: oidc, config: { secret: S3CRET } }'),
    'users.0.user.auth-provider',
  ],
  ['a password', config('username: u, password: S3CRET'), 'users.0.user.username'],
  ['another identity to act as', config('token: S3CRET, as: admin'), 'users.0.user.as'],
  ['a proxy', config('token: S3CRET', 'server: "https://a", proxy-url: "http://S3CRET@b"'), 'clusters.0.cluster.proxy-url'],
])('a file with %s is refused without quoting it', async (_, text, expected) => {
  const file = await newFile(text)
  const refused = () => readKubeconfig(file)
  expect(refused).toThrow(expected)
  expect(refused).toThrow(file)
  expect(refused).toThrow(/^((?!S3CRET|53125).)*$/s)
})

test('a file that cannot be read is refused', () => {
  expect(() => readKubeconfig('/nonexistent/config')).toThrow('SEALWRIGHT_KUBECONFIG=/nonexistent/config cannot be used: ENOENT')
})
