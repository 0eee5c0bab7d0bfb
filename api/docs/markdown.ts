// The hand-written chapters: Markdown of our own, so its HTML is trusted; headings get anchors, shell blocks a place for the copy button.
import { Marked, type Tokens } from 'marked'
import { type Html, slug, trusted } from './html.ts'

const marked = new Marked({
  gfm: true,
  renderer: {
    heading({ tokens, depth }: Tokens.Heading) {
      const text = this.parser.parseInline(tokens)
      const anchor = slug(text.replace(/<[^>]+>/g, ''))
      return `<h${depth} id="${anchor}"><a href="#${anchor}">${text}</a></h${depth}>\n`
    },
    table(token: Tokens.Table) {
      const row = (cells: Tokens.TableCell[], tag: string) =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
      const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
      return `<div class="wide"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
    },
  },
})

/** A chapter. */
export function block(markdown: string): Html {
  return trusted(marked.parse(markdown, { async: false }))
}

/** A sentence of a description. */
export function inline(markdown: string): Html {
  return trusted(marked.parseInline(markdown, { async: false }))
}
