// Renders the chapters. The Markdown is our own, so its HTML is trusted. Headings get anchors.
import { Marked, type Tokens } from 'marked'
import { type Html, html, trusted } from '#core/platform/text/html.ts'
import { slug } from './slug.ts'

const marked = new Marked({
  gfm: true,
  renderer: {
    heading({ tokens, depth }: Tokens.Heading) {
      const text = this.parser.parseInline(tokens)
      const anchor = slug(text.replace(/<[^<>]+>/g, ''))
      return `<h${depth} id="${anchor}"><a href="#${anchor}">${text}</a></h${depth}>\n`
    },
    code({ text, lang = '' }: Tokens.Code) {
      return html`<pre tabindex="0"><code class="${lang}">${text}</code></pre> `.markup
    },
    table(token: Tokens.Table) {
      const row = (cells: Tokens.TableCell[], tag: string) =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
      const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
      return `<div class="wide" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
    },
  },
})

/** A chapter. */
export function block(markdown: string): Html {
  return trusted(marked.parse(markdown, { async: false }))
}

/** Inline Markdown, such as a description. */
export function inline(markdown: string): Html {
  return trusted(marked.parseInline(markdown, { async: false }))
}
