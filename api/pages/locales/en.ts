// English, the language every other one is measured against: `Texts` is the shape of this object.
import { enFailures } from './failures.ts'

const plural = (count: number, one: string, many: string) => (count === 1 ? `${count} ${one}` : `${count} ${many}`)

// As the button says it: whoever signs is told what pressing it means, by its own words.
const signLabel = (count: number) => (count === 1 ? 'Sign the document' : `Sign ${count} documents`)

export const en = {
  shared: {
    product: 'Sealwright',
    loading: 'Loading …',
    tryAgain: 'Try again',
    tryAgainIn: (time: string) => `Try again in ${time}`,
    cancel: 'Cancel',
    fromService: 'Message of the service',
    verifyLink: 'Check a signed document',
  },
  failure: enFailures,
  closed: {
    link: {
      title: 'This link can’t be used',
      body: 'It may have expired, been cancelled or replaced by a newer one, or another person may have to sign first.',
      advice: 'Check that you opened the newest mail and the complete link. If that does not help, ask the person who sent it.',
    },
    envelope: {
      title: 'Signing has ended',
      body: 'The documents were withdrawn or their time ran out before everyone had signed.',
      advice: 'Nothing more is needed from you. The person who sent the documents can tell you more.',
    },
    turn: {
      title: 'It’s not your turn yet',
      body: 'Somebody else signs before you.',
      advice: 'You get a mail as soon as it is your turn.',
    },
  },
  unreachable: { title: 'The page could not be loaded' },
  code: {
    title: 'First, confirm that it’s you',
    eyebrow: 'You have been asked to sign',
    intro: (name: string) => `${name}, we send a six-digit code to your mail address:`,
    send: 'Send the code',
    sendAgain: 'Send a new code',
    sendAgainIn: (time: string) => `Send a new code in ${time}`,
    sent: (email: string) => `We have sent a code to ${email}. It can take a minute to arrive; look in the spam folder too.`,
    sentEarlier: (email: string) => `A code was sent to ${email} a moment ago. Please use that one.`,
    unusable: 'The last code can no longer be used. Please ask for a new one.',
    expired: 'The code has run out. Please ask for a new one.',
    expiresIn: (time: string) => `Valid for ${time}`,
    label: 'Six-digit code',
    incomplete: 'The code has six digits.',
    confirm: 'Confirm',
    wrongTitle: 'That code was not accepted',
    permissionLost: 'For your safety a confirmation lasts 30 minutes. Please confirm again; what you have done is kept.',
  },
  documents: {
    eyebrow: 'Please read and sign',
    signingAs: 'Signing as',
    listTitle: (count: number) => plural(count, 'document', 'documents'),
    opened: 'opened',
    notOpened: 'not opened yet',
    nextDocument: 'Next document',
    sign: 'Sign',
    progress: (opened: number, total: number) =>
      total === 1
        ? 'Please read the document before you sign.'
        : `${opened} of ${total} documents opened. Please open each one before you sign.`,
    ready: (total: number): string => (total === 1 ? 'You can sign now.' : 'You have opened every document. You can sign now.'),
    shown: (position: number, total: number, filename: string) => `Document ${position} of ${total}: ${filename}`,
    personal: (name: string) => `This link is meant for ${name} alone. Are you somebody else? Then please close this page.`,
  },
  reader: {
    toolbar: 'Reader',
    pageLabel: (page: number, total: number) => `Page ${page} of ${total}`,
    pagePosition: (page: number, total: number) => `Page ${page} of ${total}`,
    pageFailed: (page: number) => `Page ${page} can’t be shown here. Please download the document to read it.`,
    loading: 'Opening the document …',
    failedTitle: 'The document can’t be shown',
    failedBody: 'Check your internet connection and try again, or download it and read it with another program.',
    download: 'Download',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fitWidth: 'Fit to width',
  },
  signature: {
    title: 'Your signature',
    draw: 'Draw',
    type: 'Type',
    ways: 'How to sign',
    drawHere: 'Draw your signature here with the mouse, a pen or a finger.',
    drawLabel: 'Field to draw your signature in. If you can’t draw, choose “Type” instead.',
    clear: 'Clear',
    typedLabel: 'Your name',
    typedPreview: (name: string) => `Preview of your signature: ${name}`,
    consent: (name: string, count: number) =>
      `By choosing “${signLabel(count)}” I, ${name}, sign ${count === 1 ? 'the document' : `all ${count} documents`} electronically. I have read ${
        count === 1 ? 'it' : 'them'
      } and want this signature to count like one on paper.`,
    sign: signLabel,
    missingDrawn: 'Draw your signature first.',
    missingTyped: 'Type your name first.',
    failedTitle: 'You have not signed yet',
    uncertainTitle: 'No answer arrived',
    uncertainBody:
      'We can’t tell whether your signature got through. Check your internet connection and sign again: it counts only once.',
  },
  signed: {
    title: 'You have signed',
    thanks: (title: string, name: string) => `Thank you, ${name}. Your signature on “${title}” is recorded.`,
    copies: {
      waiting: {
        title: 'Others still have to sign',
        body: 'Once everyone has signed, you can download the signed documents here. Keep the link from your mail.',
      },
      sealing: {
        title: 'The signed documents are being sealed',
        body: 'Everyone has signed. The sealing takes a moment; this page updates by itself.',
      },
      ready: { title: 'Everyone has signed', body: 'Please download the signed documents for your records.' },
      archived: {
        title: 'The signed documents have been archived',
        body: 'They can no longer be downloaded here. Please ask the person who sent them for a copy.',
      },
    },
    checking: 'Checking whether everyone has signed …',
    checkAgain: 'Check again',
    failedTitle: 'The signed documents could not be fetched',
    downloadOf: (filename: string) => `Download ${filename}`,
  },
  verify: {
    pageTitle: 'Check a signed document',
    intro: 'Find out whether a document was signed with Sealwright and has not been changed since, who signed it, and when.',
    dropTitle: 'Drop the signed PDF here',
    dropTitleAgain: 'Drop the file to check that it is the same document',
    dropHint: 'It is checked on this device and never uploaded; only its fingerprint is compared.',
    chooseFile: 'Choose a PDF',
    hashing: 'Reading the file …',
    notPdf: 'That is not a PDF file.',
    fileFailed: 'The file could not be read.',
    fileTooLarge: 'This file is too large to be checked in the browser.',
    file: 'File',
    fingerprint: 'Fingerprint (SHA-256)',
    noIdFound: 'No signature ID was found in this file. If it has a seal, type in the ID that is printed there.',
    or: 'or check by what is printed in the seal',
    idLabel: 'Signature ID',
    idHint: 'Printed in the seal after “ID”, for example 3f0c9d0e-…',
    idInvalid: 'A signature ID has 32 digits and letters in five groups.',
    codeLabel: 'Verification code',
    codeHint: 'Printed in the seal after “Code”.',
    codeInvalid: 'The code has 22 characters. A SHA-256 fingerprint of the file (64 digits) also works.',
    check: 'Check',
    checking: 'Checking …',
    onRecordTitle: 'This signing is on record',
    onRecordBody: 'Drop the file to check that it is the same document.',
    otherFileTitle: (name: string): string => `${name} is not the file that was sealed`,
    otherFileBody: 'The signing below is on record, but for another file. Even saving or printing a file again changes it.',
    validFileTitle: (count: number): string =>
      count === 1 ? 'Valid signature, and this file is unchanged' : `${count} valid signatures, and this file is unchanged`,
    invalidTitle: 'Not confirmed',
    invalidBody:
      'No valid signature could be confirmed for this. The ID or the code may be mistyped, or the file is not exactly the sealed one: even saving or printing it anew changes it.',
    failedTitle: 'The check could not be made',
    signer: 'Signed by',
    email: 'Mail address',
    time: 'Time of signing',
    envelope: 'Envelope',
    signatureId: 'Signature ID',
    another: 'Check another document',
    howTitle: 'How it works',
    howBody:
      'Every sealed PDF holds a cryptographic signature (CMS/PKCS#7). The service checks it against the sealed copy it keeps. A PDF program such as Adobe Acrobat can check it too, without this page.',
  },
}

export type Texts = typeof en
