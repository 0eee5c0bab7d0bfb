import { html, trusted } from '#core/platform/text/html.ts'
import { fc } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'

describe('html', () => {
  test('escapes text, in elements and in attributes', () => {
    expect(html`<p title="${'"\'<&>'}">${'<b>&amp;'}</p>`.markup).toBe(
      '<p title="&quot;&#39;&lt;&amp;&gt;">&lt;b&gt;&amp;amp;</p>',
    )
  })

  test('prevents text from opening a tag or leaving a quoted attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(html`${text}`.markup).not.toMatch(/[<>"']/)
      }),
    )
  })

  test('inserts its own markup unchanged, alone and in lists', () => {
    const bold = (text: string) => html`<b>${text}</b>`
    expect(html`<i>${['a', '<b>'].map(bold)}</i>${bold('c')}`.markup).toBe('<i><b>a</b><b>&lt;b&gt;</b></i><b>c</b>')
  })

  test('writes numbers, and nothing for false and undefined', () => {
    expect(html`${0} ${10}${false}${undefined}${[1, 'a']}`.markup).toBe('0 101a')
  })

  test('inserts trusted text unchanged', () => {
    expect(html`${trusted('<br>')}`.markup).toBe('<br>')
  })
})
