// The hosts that rendered objects or values name: of URLs anywhere, of images, and of bare names in variables and arguments.

const URL_HOST = /\b[a-z][a-z0-9+]*:\/\/(?:[^/\s"'@]*@)?([a-z0-9.-]+)/gi
const IMAGE = /"image":"([^"/]+)\//g
/** A name with dots that may be one of DNS, and perhaps a port; no number, path or version. */
const HOST_NAME = /^([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*)(?::\d+)?$/i
const IP_ADDRESS = /^[\d.]+$/

/** Each once. Addresses that are numbers are left out: policies name many, and nothing is fetched from them. */
export function hostsIn(objects: readonly object[]): string[] {
  const json = JSON.stringify(objects)
  const found = [
    ...hostsOfUrls(json),
    ...[...json.matchAll(IMAGE)].map(([, registry = '']) => registry.replace(/:\d+$/, '')),
    ...texts(objects).flatMap((text) => text.split(/[\s,=]+/).flatMap((word) => HOST_NAME.exec(word)?.[1] ?? [])),
  ]
  return [...new Set(found)].filter((host) => !IP_ADDRESS.test(host)).toSorted()
}

export function hostsOfUrls(text: string): string[] {
  return [...text.matchAll(URL_HOST)].map(([, host = '']) => host)
}

/** The values of variables, and the arguments. */
function texts(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return key === 'value' || key === 'args' ? [value] : []
  if (Array.isArray(value)) return value.flatMap((each) => texts(each, key))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => texts(each, name))
}
