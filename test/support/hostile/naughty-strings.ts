// Five hundred awkward texts, made from fragments that have broken headers, pages, parsers and terminals.
import { someOf } from '../builders/properties.ts'

const FRAGMENTS = [
  '\r\nBcc: other@example.test',
  '\nSubject: another subject',
  '\rX-Injected: 1',
  '\r\n\r\nA body of its own',
  '\u2028Bcc: other@example.test',
  '\u0085Bcc: other@example.test',
  '\v\f\b\0\x1b[31m',
  '=?utf-8?q?=0D=0ABcc:_other@example.test?=',
  '=?utf-8?b?DQpCY2M6IG90aGVyQGV4YW1wbGUudGVzdA==?=',
  '<script>alert(1)</script>',
  '</td></tr></table><a href="https://evil.example.test">Sign here</a>',
  '"><img src=https://evil.example.test/pixel.gif>',
  "' onmouseover='alert(1)",
  '<!-- ',
  '-->',
  ']]>',
  '${link} {{signer1}} %s %n %00',
  '&lt;b&gt; &amp;amp; &#x3c;',
  '\u202Etxt.exe',
  '\u2066\u2067\u2068 left open',
  '\u200F\u061C',
  '\uFEFF\u200B\u00AD',
  '\uD800 half \uDC00',
  'Z\u0351\u036B\u0343\u036A\u0302a\u0346\u0361l\u0342\u0366go',
  '😀👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'شركة حול 合同 Ünïcødé ﷽',
  '"quoted" <other@example.test>, third@example.test;',
  'a'.repeat(250),
  '.\r\n.\r\nQUIT\r\n',
  '\r\n.\r\nMAIL FROM:<other@example.test>',
] as const

const FRAMES: readonly ((fragment: string, other: string) => string)[] = [
  (fragment) => fragment,
  (fragment) => `Ada${fragment}`,
  (fragment) => `${fragment}Ada`,
  (fragment) => `Ada ${fragment} Öhman`,
  (fragment) => fragment.repeat(3).slice(0, 255),
  (fragment, other) => fragment + other,
  (fragment, other) => other + fragment,
  (fragment, other) => `${fragment}\r\n${other}`,
  (fragment, other) => `"${fragment}" <${other}>`,
  (fragment) => encodeURIComponent(fragment.toWellFormed()),
  (fragment) => Buffer.from(fragment).toString('latin1'),
  (fragment) => fragment.toUpperCase(),
  (fragment) => fragment.normalize('NFD'),
  (fragment) => [...new Intl.Segmenter().segment(fragment)].map(({ segment }) => segment).join('\t'),
  (fragment) => `${' '.repeat(120)}${fragment}`,
  (fragment, other) => `${other.slice(0, 3)}${fragment}${other.slice(3)}`,
  (fragment) => `${fragment}\\`,
  (fragment) => `\t${fragment}\t`,
  (fragment, other) => `${fragment} ${other} ${fragment}`,
  (fragment, other) => `=?utf-8?q?${fragment}?= ${other}`,
  (fragment) => `=?utf-8?b?${Buffer.from(fragment).toString('base64')}?=`,
]

/** Always the same five hundred, all different, each at most 1,000 characters. */
export const NAUGHTY_STRINGS: readonly string[] = [
  ...new Set(
    FRAMES.flatMap((frame, row) =>
      FRAGMENTS.map((fragment, column) =>
        frame(fragment, FRAGMENTS[(column + row + 1) % FRAGMENTS.length] ?? '').slice(0, 1_000),
      ),
    ),
  ),
].slice(0, 500)

/** Every fragment by itself and some of the others; all five hundred in a long run. */
export const SOME_NAUGHTY_STRINGS: readonly string[] = [
  ...NAUGHTY_STRINGS.slice(0, FRAGMENTS.length),
  ...someOf(NAUGHTY_STRINGS.slice(FRAGMENTS.length), 40),
]
