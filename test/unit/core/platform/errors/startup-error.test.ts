// The table for operators says what the code does.
import { readFile } from 'node:fs/promises'
import { STARTUP_ERRORS } from '#core/platform/errors/startup-error.ts'
import { expect, test } from 'vitest'

test('the table of start-up failures lists the catalogue, row by row', async () => {
  const text = await readFile('docs/outages.md', 'utf8')
  const section = /^## Start-up failures\n([^]*?)^## /m.exec(text)?.[1] ?? ''
  const rows = Array.from(section.matchAll(/^\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm), ([, settings, what, then]) => [
    settings,
    what,
    then,
  ])
  const documented = rows.slice(2).map(([settings, what, then]) => `${settings?.replaceAll('`', '')} | ${what} | ${then}`)
  const decided = Object.values(STARTUP_ERRORS).map(({ settings, what, consequence }) => `${settings} | ${what} | ${consequence}`)
  expect(documented).toEqual(decided)
})
