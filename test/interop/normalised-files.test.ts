// A normalised file looks like the file without a flaw, in two renderers.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from '#core/pdf/inspect/inspect-thread.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { realFile } from '../support/builders/pdf-fixtures.ts'
import { REAL_FILES } from '../support/builders/real-files.ts'
import { renderPages, type Renderer } from '../support/judges/pixels.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'normalised-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.each<Renderer>(['poppler', 'mupdf'])('%s shows the same page as without the flaw', (renderer) => {
  const expected = renderPages(realFile('00-good'), renderer)

  test.each(REAL_FILES.filter(([, way]) => way !== 'read'))('%s is %s', async (name) => {
    const document = path.join(folder, `${renderer}-${name}.pdf`)
    copyFileSync(realFile(name), document)
    expect(await inspect({ path: document, refuseActiveContent: true, repairDocuments: true })).toMatchObject({ ok: true })
    const pages = await renderPages(document, renderer)
    expect(pages).toEqual(await expected)
    // Not only an empty page.
    expect(new Set(pages[0]?.pixels).size).toBeGreaterThan(1)
  })
})
