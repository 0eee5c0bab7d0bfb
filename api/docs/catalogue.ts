// The error catalogue: every code with its status, its sentence and what to do.
import { type ErrorCode, ERRORS } from '#core/errors/codes.ts'
import { STATUS_OF_KIND } from '../http/status-of-kind.ts'
import { adviceOn } from './advice.ts'
import { type Html, html } from './html.ts'
import { inline } from './markdown.ts'

/** One row a code, by status. */
export function catalogue(): Html {
  const codes = Object.keys(ERRORS).filter(isCode)
  const byStatus = codes.toSorted((left, right) => statusOf(left) - statusOf(right))
  return html`<div class="wide" tabindex="0">
    <table class="catalogue">
      <thead>
        <tr>
          <th>Status</th>
          <th>Code</th>
          <th>Meaning</th>
          <th>What to do</th>
        </tr>
      </thead>
      <tbody>
        ${byStatus.map(
          (code) =>
            html`<tr id="${code}">
              <td>${statusOf(code)}</td>
              <td><code>${code}</code></td>
              <td>${ERRORS[code].message}</td>
              <td>${inline(adviceOn(code))}</td>
            </tr>`,
        )}
        <tr id="INTERNAL_ERROR">
          <td>500</td>
          <td><code>INTERNAL_ERROR</code></td>
          <td>Something went wrong on our side.</td>
          <td>Repeat it once; then tell us the <code>traceId</code>.</td>
        </tr>
      </tbody>
    </table>
  </div>`
}

function isCode(text: string): text is ErrorCode {
  return text in ERRORS
}

function statusOf(code: ErrorCode): number {
  return STATUS_OF_KIND[ERRORS[code].kind]
}
