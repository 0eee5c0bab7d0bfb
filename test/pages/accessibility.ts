// The rules of WCAG 2.2 A and AA that a machine can check, by axe.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Fault {
  id: string
  impact: string | null
  nodes: { html: string }[]
}

const RUN = `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) => violations)`

/** What keeps people out, one line each; empty when nothing does. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const faults = await page.evaluate<Fault[]>(RUN)
  return faults
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
