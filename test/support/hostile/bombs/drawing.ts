// Forms that draw each other too often to follow.
import { type Body, onePage, stream } from '../hostile-pdfs.ts'
import { form, WITH_FORMS } from '../../builders/marker-cases.ts'
import { LONG, type Bomb, content, flate, MIB } from './bomb.ts'

const FORM_RESOURCES = '/Resources<</XObject<</X 6 0 R>>/Font<</F1 5 0 R>>>>'
const TWO_FORMS = '/Resources<</XObject<</X 6 0 R/Y 7 0 R>>/Font<</F1 5 0 R>>>>'

/** Forms that each draw the next one twice, so that a reader without memoisation draws the last one 2^depth times. */
function doublingForms(depth: number, resources: (next: number) => string): Body[] {
  return Array.from({ length: depth }, (_, level) => form('/X Do /X Do', resources(7 + level)))
}

export const DRAWING: readonly Bomb[] = [
  {
    name: 'a form that draws itself',
    build: () => drawing('/X Do', form('/X Do /X Do', FORM_RESOURCES)),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a form without resources that draws itself',
    build: () => drawing('/X Do', form('/X Do /X Do')),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'forms that draw each other',
    build: () => drawing('/X Do', form('/Y Do /Y Do', TWO_FORMS), form('/X Do /X Do', TWO_FORMS)),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'forms that double',
    build: () => drawing('/X Do', ...doublingForms(60, (next) => `/Resources<</XObject<</X ${next} 0 R>>>>`), form('')),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'forms without resources that double',
    build: () =>
      onePage({
        content: stream('', '/A Do '.repeat(8)),
        resources: `/XObject<<${Array.from({ length: 25 }, (_, level) => `/${String.fromCharCode(65 + level)} ${6 + level} 0 R`).join('')}>>`,
        objects: Array.from({ length: 25 }, (_, level) => form(`/${String.fromCharCode(66 + level)} Do `.repeat(4))),
      }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a form over and over',
    build: content('/X Do ', LONG, { resources: WITH_FORMS, objects: [form('n', FORM_RESOURCES)] }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a form without resources over and over',
    build: content('/X Do ', LONG, { resources: WITH_FORMS, objects: [form('n')] }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a large form without resources over and over',
    build: content('/X Do ', MIB, { resources: WITH_FORMS, objects: [flate('/Subtype/Form', 'n ', 10 * MIB)] }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a form with a marker over and over',
    build: content('/X Do ', LONG, {
      resources: WITH_FORMS,
      objects: [form('BT /F1 9 Tf ({{signer1}}) Tj ET', FORM_RESOURCES)],
    }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a matrix of huge numbers',
    build: () =>
      drawing('/X Do', form('BT /F1 9 Tf ({{signer1}}) Tj ET', `/Matrix[${'9'.repeat(300)} 0 0 1 0 0]${FORM_RESOURCES}`)),
  },
]

function drawing(text: string, ...objects: Body[]): Buffer {
  return onePage({ content: stream('', text), resources: '/Font<</F1 5 0 R>>/XObject<</X 6 0 R>>', objects })
}
