// The rules of WCAG 2.2 A and AA that a machine can check, by axe.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Fault {
  id: string
  impact: string | null
  nodes: { html: string }[]
}

// react-aria's own region for announcements refers to labels that have gone with what they belonged to.
const ANNOUNCER = '[data-live-announcer]'

const RUN = `axe.run({ exclude: '${ANNOUNCER}' }, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) => violations)`

// Colours count as they come to rest; what turns for ever is left alone.
const AT_REST = `Promise.allSettled(
  document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished),
).then(() => undefined)`

/** What keeps people out, one line each; empty when nothing does. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(AT_REST)
  await page.evaluate(axe.source)
  const faults = await page.evaluate<Fault[]>(RUN)
  return faults
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
