// Writes kubeconfig files: in JSON, which every reader of YAML reads.
import { rename, writeFile } from 'node:fs/promises'
import type { KeyPairFiles } from './kube-certificates.ts'

export interface KubeconfigContent {
  /** https://127.0.0.1:port */
  server: string
  /** The file of the authority's certificate; absent: a public authority. */
  authority?: string
  serverName?: string
  skipVerify?: boolean
  user: { name: string } & ({ pair: KeyPairFiles } | { tokenFile: string })
  namespace?: string
}

/** Replaces the file as a whole: readers never see half of it. */
export async function writeKubeconfig(file: string, content: KubeconfigContent): Promise<void> {
  const { server, authority, serverName, skipVerify, user, namespace } = content
  const signIn =
    'pair' in user ? { 'client-certificate': user.pair.certificate, 'client-key': user.pair.key } : { tokenFile: user.tokenFile }
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'local',
        cluster: {
          server,
          'certificate-authority': authority,
          'tls-server-name': serverName,
          'insecure-skip-tls-verify': skipVerify,
        },
      },
    ],
    users: [{ name: user.name, user: signIn }],
    contexts: [{ name: 'local', context: { cluster: 'local', user: user.name, ...(namespace && { namespace }) } }],
    'current-context': 'local',
  }
  await writeFile(`${file}.new`, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
