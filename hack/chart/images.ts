// The images of an installation, each with the value that holds its digest.
import type { KubeObject } from '#core/platform/kubernetes/kube-object.ts'
import { objectsIn, renderChart } from './render.ts'

export interface ChartImage {
  /** Name as the kubelet pulls it. */
  name: string
  /** The path of the value for its digest. */
  digestValue: string
}

/** Servers by the component of their StatefulSet. Everything else is the image of the product. */
const SERVERS = new Map([
  ['postgres', 'evaluation.postgres.image'],
  ['nats', 'evaluation.nats.image'],
  ['object-store', 'evaluation.objectStore.image'],
])
const EVERYTHING = ['--values', 'charts/sealwright/values-eval.yaml']

/** Lists the images of the installation with these arguments of `helm template`; without a file of values, all that the chart can use. In the order of the values. */
export async function listImages(args: readonly string[]): Promise<ChartImage[]> {
  const hasValues = args.some((each) => /^(-f|--values)(=|$)/.test(each))
  const images = new Map<string, ChartImage>()
  for (const object of objectsIn(await renderChart({ args: [...(hasValues ? [] : EVERYTHING), ...args] }))) {
    const image = SERVERS.get(object.metadata.labels?.['app.kubernetes.io/component'] ?? '') ?? 'image'
    for (const name of imagesIn(object)) images.set(name, { name, digestValue: `${image}.digest` })
  }
  return [...images.values()].toSorted((a, b) => a.digestValue.localeCompare(b.digestValue))
}

/** The images of all containers. */
function imagesIn(object: KubeObject): string[] {
  return [...JSON.stringify(object).matchAll(/"image":"([^"]+)"/g)].map(([, image = '']) => image)
}

/** Says which images have no digest, and how to set it; undefined if all have one. */
export function describeMissingDigests(images: readonly ChartImage[]): string | undefined {
  const missing = images.filter(({ name }) => !name.includes('@sha256:'))
  if (missing.length === 0) return undefined
  const lines = missing.map(({ name, digestValue }) => `  --set ${digestValue}=$(crane digest ${name})`)
  return [
    `${missing.length} of ${images.length} images have no digest. Only a registry knows it: read it once, where one can be reached, and set the value:`,
    ...lines,
  ].join('\n')
}
