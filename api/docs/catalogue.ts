// The error catalogue: every code with its status, its message and what to do.
import { ADVICE, type ErrorCode, ERRORS } from '#core/platform/errors/codes.ts'
import { STATUS_OF_KIND } from '../http/response/status-of-kind.ts'
import { type Html, html } from '#core/platform/text/html.ts'
import { inline } from './markdown.ts'

interface Row {
  code: string
  status: number
  message: string
  advice: string
}

const FAULT: Row = {
  code: 'INTERNAL_ERROR',
  status: 500,
  message: 'Something went wrong on our side.',
  advice: 'Repeat the request once. If it fails again, report the `traceId` to your operator.',
}

/** One row per code, sorted by status, each with an anchor. */
export function catalogue(): Html {
  const known = Object.keys(ERRORS).filter(isCode).map(toRow)
  const rows = [...known, FAULT].toSorted((left, right) => left.status - right.status)
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
        ${rows.map(
          ({ code, status, message, advice }) =>
            html`<tr id="${code}">
              <td>${status}</td>
              <td><code>${code}</code></td>
              <td>${message}</td>
              <td>${inline(advice)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function toRow(code: ErrorCode): Row {
  const { kind, message } = ERRORS[code]
  return { code, status: STATUS_OF_KIND[kind], message, advice: ADVICE[code] }
}

function isCode(text: string): text is ErrorCode {
  return text in ERRORS
}
