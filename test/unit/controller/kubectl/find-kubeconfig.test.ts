import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findKubeconfig } from '../../../../controller/kubectl/find-kubeconfig.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sealwright-kubeconfig-'))

function file(name: string, current: string | undefined, contexts: Record<string, string | undefined>): string {
  const entries = Object.entries(contexts).map(([context, namespace]) => ({
    name: context,
    context: { cluster: 'c', namespace },
  }))
  writeFileSync(path.join(folder, name), JSON.stringify({ 'current-context': current, contexts: entries }))
  return path.join(folder, name)
}

const a = file('a', 'one', { one: 'first' })
const b = file('b', 'two', { two: 'second', three: undefined })

test('KUBECONFIG names the file; the context has the namespace', () => {
  expect(findKubeconfig({}, { KUBECONFIG: a }, folder)).toEqual({ file: a, context: 'one', namespace: 'first' })
})

test('of several files the first names the current context; --context finds its own', () => {
  const env = { KUBECONFIG: [path.join(folder, 'missing'), a, b].join(path.delimiter) }
  expect(findKubeconfig({}, env, folder)).toMatchObject({ file: a, context: 'one' })
  expect(findKubeconfig({ context: 'three' }, env, folder)).toEqual({ file: b, context: 'three', namespace: undefined })
})

test('--kubeconfig wins, relative to the folder of the caller', () => {
  expect(findKubeconfig({ kubeconfig: 'b' }, { KUBECONFIG: a }, folder)).toMatchObject({ file: b, context: 'two' })
})

test('without KUBECONFIG it is the file in the home folder, and without that there is none', () => {
  expect(findKubeconfig({}, { HOME: folder }, folder)).toBeUndefined()
})

test('what cannot be used is named without its content', () => {
  writeFileSync(path.join(folder, 'broken'), 'token: "not-for-the-log')
  writeFileSync(path.join(folder, 'other'), 'contexts: 1')
  expect(() => findKubeconfig({ kubeconfig: 'broken' }, {}, folder)).toThrow(/broken is not YAML\.$/)
  expect(() => findKubeconfig({ kubeconfig: 'other' }, {}, folder)).toThrow(/other is not a kubeconfig\.$/)
  expect(() => findKubeconfig({ kubeconfig: 'missing' }, {}, folder)).toThrow(/missing cannot be read/)
  expect(() => findKubeconfig({ context: 'four' }, { KUBECONFIG: a }, folder)).toThrow(`${a} has no context four.`)
  const none = file('none', undefined, { one: undefined })
  expect(() => findKubeconfig({ kubeconfig: none }, {}, folder)).toThrow('use --context')
})
