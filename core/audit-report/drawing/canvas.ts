// What every part of a report is drawn with.
import type { ReportTexts } from '#core/audit-report/locales/texts.ts'
import type { Sheets } from './sheets.ts'
import type { TypeSetter } from './text-block.ts'

export interface Canvas {
  sheets: Sheets
  setter: TypeSetter
  texts: ReportTexts
}
