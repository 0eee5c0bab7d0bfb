// Deletes objects in etcd itself, as a restore of an older backup does: the API server never sees a deletion.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'
import type { ControlPlane } from '../../hack/servers/kube-control-plane.ts'

export interface EtcdKeys extends AsyncDisposable {
  /** Whether the object was there. */
  remove: (namespace: string, name: string) => Promise<boolean>
}

/** Speaks JSON to etcd, as an administrator. */
export function openEtcd({ etcd, certificates: { authority, admin } }: ControlPlane): EtcdKeys {
  const [ca, cert, key] = [authority, admin.certificate, admin.key].map((file) => readFileSync(file, 'utf8'))
  const dispatcher = new Agent({ connect: { ca: ca ?? '', cert: cert ?? '', key: key ?? '' } })
  return {
    async remove(namespace, name) {
      const path = `/registry/sealwright.io/webhooksubscriptions/${namespace}/${name}`
      const body = JSON.stringify({ key: Buffer.from(path).toString('base64') })
      const answer = await request(`${etcd}/v3/kv/deleterange`, { method: 'POST', dispatcher, body })
      const text = await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`etcd answered ${answer.statusCode}: ${text}`)
      return JSON.parse(text).deleted === '1'
    },
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  }
}
