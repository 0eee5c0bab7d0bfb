// Layers (optional content, ISO 32000-2, 8.11) that do not look the same everywhere: switched off but used, or with another state on paper,
// on the screen or in an export. Layers that are always on are harmless.
import type { PdfFile } from '../read/pdf-file.ts'
import { isName, type PdfDict, type PdfValue } from '../read/value.ts'
import { dictOf, itemsOf, nameEntry } from './entries.ts'

const SWITCHED_OFF = 'a layer that is switched off'
const DIFFERS = 'a layer that does not look the same on the screen and on paper'

/** The object numbers of such layers, with what they are. */
export type UnsteadyLayers = ReadonlyMap<number, string>

/** Categories of /AS whose state depends on the reader. */
const READER_CATEGORIES: ReadonlySet<string> = new Set(['Zoom', 'Language', 'User'])

/** A longer expression is refused. */
const MAX_EXPRESSION = 1_000

/** Reads the default configuration and the usage of every layer. */
export function readUnsteadyLayers(file: PdfFile): UnsteadyLayers {
  const layers = new Map<number, string>()
  const properties = dictOf(file, file.catalog().entries.get('OCProperties'))
  if (properties === undefined) return layers
  const all = layerNumbers(file, properties.entries.get('OCGs'))
  const config = dictOf(file, properties.entries.get('D'))
  for (const num of switchedOff(file, all, config)) layers.set(num, SWITCHED_OFF)
  for (const num of all) if (differs(file, num)) layers.set(num, DIFFERS)
  for (const usage of itemsOf(file, config?.entries.get('AS'))) {
    for (const num of readerDependent(file, usage)) layers.set(num, DIFFERS)
  }
  return layers
}

function readerDependent(file: PdfFile, usage: PdfValue): number[] {
  const application = dictOf(file, usage)
  const categories = itemsOf(file, application?.entries.get('Category')).map((item) => file.resolve(item))
  const depends = categories.some((category) => category.kind === 'name' && READER_CATEGORIES.has(category.name))
  return depends ? layerNumbers(file, application?.entries.get('OCGs')) : []
}

function layerNumbers(file: PdfFile, list: PdfValue | undefined): number[] {
  return itemsOf(file, list).flatMap((item) => (item.kind === 'ref' ? [item.num] : []))
}

/** Where the configuration says two things, every layer counts as switched off. */
function switchedOff(file: PdfFile, all: readonly number[], config: PdfDict | undefined): readonly number[] {
  if (config === undefined) return []
  if (config.ambiguous) return all
  const off = layerNumbers(file, config.entries.get('OFF'))
  if (nameEntry(file, config, 'BaseState') !== 'OFF') return off
  const on = new Set(layerNumbers(file, config.entries.get('ON')))
  return [...all.filter((num) => !on.has(num)), ...off]
}

function differs(file: PdfFile, num: number): boolean {
  const layer = file.get(num)
  const usage = layer.kind === 'dict' ? dictOf(file, layer.entries.get('Usage')) : undefined
  return (['Print', 'View', 'Export'] as const).some((use) => {
    const state = dictOf(file, usage?.entries.get(use))
    return state !== undefined && nameEntry(file, state, `${use}State`) === 'OFF'
  })
}

/** Which unsteady layer this dictionary uses: as its own (/OC) or as one that its content may name (/Properties of resources). */
export function findUnsteadyLayer(file: PdfFile, layers: UnsteadyLayers, dict: PdfDict): string | undefined {
  const own = dict.entries.get('OC')
  const uses = [...(dictOf(file, dict.entries.get('Properties'))?.entries.values() ?? [])]
  if (own !== undefined) uses.push(own)
  for (const use of uses) {
    const found = membershipOf(file, layers, use)
    if (found !== undefined) return found
  }
  return undefined
}

/** A use names a layer, or a membership dictionary (OCMD, 8.11.2.2) that combines layers. */
function membershipOf(file: PdfFile, layers: UnsteadyLayers, use: PdfValue): string | undefined {
  const layer = layerOf(layers, use)
  const membership = dictOf(file, use)
  if (layer !== undefined || membership === undefined) return layer
  const policy = nameEntry(file, membership, 'P')
  const isOCMD = isName(file.resolve(membership.entries.get('Type')), 'OCMD')
  if (isOCMD && (policy === 'AllOff' || policy === 'AnyOff')) return SWITCHED_OFF
  const members = membership.entries.get('OCGs')
  for (const member of members?.kind === 'ref' ? [members, ...itemsOf(file, members)] : itemsOf(file, members)) {
    const found = layerOf(layers, member)
    if (found !== undefined) return found
  }
  return findInExpression(file, layers, membership.entries.get('VE'))
}

function findInExpression(file: PdfFile, layers: UnsteadyLayers, expression: PdfValue | undefined): string | undefined {
  const waiting = [...itemsOf(file, expression)]
  for (let seen = 0; seen < waiting.length; seen++) {
    const item = waiting[seen]
    if (seen >= MAX_EXPRESSION || isName(item, 'Not')) return SWITCHED_OFF
    const found = item === undefined ? undefined : layerOf(layers, item)
    if (found !== undefined) return found
    waiting.push(...itemsOf(file, item).slice(0, MAX_EXPRESSION))
  }
  return undefined
}

function layerOf(layers: UnsteadyLayers, value: PdfValue): string | undefined {
  return value.kind === 'ref' ? layers.get(value.num) : undefined
}
