// English. `Texts` is the shape that every other language has.
import { enFailures } from './failures.ts'

const plural = (count: number, one: string, many: string) => (count === 1 ? `${count} ${one}` : `${count} ${many}`)

// The consent text quotes the button's label, so both use this.
const signLabel = (count: number) => (count === 1 ? 'Sign the document' : `Sign ${count} documents`)

export const en = {
  shared: {
    product: 'Sealwright',
    loading: 'Loading…',
    tryAgain: 'Try again',
    tryAgainIn: (time: string) => `Try again in ${time}`,
    cancel: 'Cancel',
    fromService: 'Details',
    verifyLink: 'Verify a signed document',
  },
  failure: enFailures,
  closed: {
    link: {
      title: 'This link can’t be used',
      body: 'It may have expired or been cancelled, or another person may have to sign first.',
      advice: 'Check that you opened the complete link from the email. If that does not help, contact the sender.',
    },
    envelope: {
      title: 'Signing has ended',
      body: 'The documents were withdrawn or expired before everyone had signed.',
      advice: 'You don’t need to do anything. The sender can tell you more.',
    },
    turn: {
      title: 'It’s not your turn yet',
      body: 'Another person has to sign before you.',
      advice: 'You will get an email when it is your turn.',
    },
  },
  unreachable: { title: 'The page could not be loaded' },
  code: {
    title: 'First, confirm it’s you',
    eyebrow: 'You have been asked to sign',
    intro: (name: string) => `${name}, we will send a six-digit code to your email address:`,
    send: 'Send code',
    sendAgain: 'Send new code',
    sendAgainIn: (time: string) => `Send new code in ${time}`,
    sent: (email: string) => `We sent a code to ${email}. It can take a minute to arrive. Please also check your spam folder.`,
    sentEarlier: (email: string) => `A code was sent to ${email} a moment ago. Please use that one.`,
    unusable: 'The last code is no longer valid. Please request a new one.',
    expired: 'The code has expired. Please request a new one.',
    expiresIn: (time: string) => `Expires in ${time}`,
    label: 'Six-digit code',
    incomplete: 'Enter all six digits.',
    confirm: 'Confirm',
    wrongTitle: 'The code is not correct',
    triesLeft: (count: number) => `Please check the email and try again. You have ${plural(count, 'try', 'tries')} left.`,
    permissionLost: 'For your security, a confirmation expires after 30 minutes. Please confirm again. Your progress is saved.',
  },
  sender: {
    from: (organisation: string) => `From: ${organisation}`,
    message: 'Message from the sender',
    until: (time: string) => `Please sign by ${time}.`,
  },
  documents: {
    eyebrow: 'Please read and sign',
    signingAs: 'Signing as',
    listTitle: (count: number) => plural(count, 'document', 'documents'),
    opened: 'opened',
    notOpened: 'not opened yet',
    pagesSeen: (seen: number, total: number) => `${seen} of ${plural(total, 'page', 'pages')} seen`,
    nextDocument: 'Next document',
    sign: 'Sign',
    progress: (opened: number, total: number) =>
      total === 1
        ? 'Please read the document before you sign.'
        : `${opened} of ${total} documents opened. Please open each one before you sign.`,
    ready: (total: number): string => (total === 1 ? 'You can sign now.' : 'You have opened every document. You can sign now.'),
    shown: (position: number, total: number, filename: string) => `Document ${position} of ${total}: ${filename}`,
    personal: (name: string) => `This link is for ${name} only. If that is not you, please close this page.`,
  },
  reader: {
    toolbar: 'Reader',
    pageLabel: (page: number, total: number) => `Page ${page} of ${total}`,
    pagePosition: (page: number, total: number) => `Page ${page} of ${total}`,
    pageFailed: (page: number) => `Page ${page} can’t be displayed here. Please download the document to read it.`,
    loading: 'Opening the document…',
    failedTitle: 'The document can’t be displayed',
    failedBody: 'Check your internet connection and try again, or download the document and open it in another program.',
    download: 'Download',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    signatureHere: 'Your signature goes here',
    nextMarker: 'Next signature field',
    fitWidth: 'Fit to width',
  },
  signature: {
    title: 'Your signature',
    draw: 'Draw',
    type: 'Type',
    ways: 'Signature type',
    drawHere: 'Draw your signature here with a mouse, pen or finger.',
    drawLabel: 'Signature drawing area. If you can’t draw, choose “Type” instead.',
    clear: 'Clear',
    typedLabel: 'Your name',
    typedPreview: (name: string) => `Preview of your signature: ${name}`,
    consent: (name: string, count: number) =>
      `By choosing “${signLabel(count)}”, I, ${name}, sign ${count === 1 ? 'the document' : `all ${count} documents`} electronically. I have read ${
        count === 1 ? 'it' : 'them'
      } and intend this signature to have the same effect as my handwritten signature.`,
    sign: signLabel,
    missingDrawn: 'Draw your signature first.',
    missingTyped: 'Type your name first.',
    failedTitle: 'You have not signed yet',
    uncertainTitle: 'The service did not respond',
    uncertainBody:
      'We don’t know whether your signature was received. Check your internet connection and sign again. It is recorded only once.',
  },
  signed: {
    title: 'You have signed',
    thanks: (title: string, name: string) => `Thank you, ${name}. Your signature on “${title}” is recorded.`,
    copies: {
      waiting: {
        title: 'Waiting for others to sign',
        body: 'Once everyone has signed, you can download the signed documents here. Keep the link in your email.',
      },
      sealing: {
        title: 'The signed documents are being sealed',
        body: 'Everyone has signed. Sealing takes a moment. This page updates automatically.',
      },
      ready: { title: 'Everyone has signed', body: 'Please download the signed documents for your records.' },
      archived: {
        title: 'The signed documents have been archived',
        body: 'They can no longer be downloaded here. Please ask the sender for a copy.',
      },
    },
    checking: 'Checking whether everyone has signed…',
    checkAgain: 'Check again',
    failedTitle: 'The signed documents could not be loaded',
    downloadOf: (filename: string) => `Download ${filename}`,
  },
  verify: {
    pageTitle: 'Verify a signed document',
    intro: 'Find out whether a document was signed with Sealwright, who signed it and when, and whether it has changed since.',
    dropTitle: 'Drop the signed PDF here',
    dropTitleAgain: 'Drop the file to check that it is the same document',
    dropHint: 'The file stays on your device. Only its fingerprint is sent for comparison.',
    chooseFile: 'Choose a PDF',
    hashing: 'Reading the file…',
    notPdf: 'This is not a PDF file.',
    fileFailed: 'The file could not be read.',
    fileTooLarge: 'This file is too large to verify in the browser.',
    file: 'File',
    fingerprint: 'Fingerprint (SHA-256)',
    noIdFound: 'No signature ID was found in this file. If it has a seal, enter the ID printed there.',
    or: 'or enter what is printed in the seal',
    idLabel: 'Signature ID',
    idHint: 'Printed in the seal after “ID”, for example 3f0c9d0e-…',
    idInvalid: 'A signature ID has 32 letters and digits in five groups.',
    codeLabel: 'Verification code',
    codeHint: 'Printed in the seal after “Code”.',
    codeInvalid: 'The code has 22 characters. The SHA-256 fingerprint of the file (64 characters) also works.',
    check: 'Verify',
    checking: 'Verifying…',
    onRecordTitle: 'This signing is on record',
    onRecordBody: 'Drop the file to check that it is the same document.',
    otherFileTitle: (name: string): string => `${name} is not the file that was sealed`,
    otherFileBody: 'The signing below is on record, but for another file. Even saving or printing a file again changes it.',
    validFileTitle: (count: number): string =>
      count === 1 ? 'Valid signature, and this file is unchanged' : `${count} valid signatures, and this file is unchanged`,
    extendedTitle: (name: string): string => `${name} was signed again after it was sealed`,
    extendedBody: (later: number): string =>
      `It begins with the sealed document, which is unchanged and has the valid signatures below. It was signed later by others: ${later} further ${later === 1 ? 'signature' : 'signatures'}. This page does not check what was added: read the sealed document, or check the file with “sealwright verify”.`,
    saveSealed: 'Save the sealed document',
    sealedFingerprint: 'Fingerprint of the sealed document (SHA-256)',
    invalidTitle: 'Not verified',
    invalidBody:
      'No valid signature was found. The ID or the code may contain a typo, or the file is not the sealed original: even saving or printing it again changes it.',
    failedTitle: 'The document could not be verified',
    signer: 'Signed by',
    email: 'Email',
    time: 'Time of signing',
    envelope: 'Envelope',
    signatureId: 'Signature ID',
    another: 'Verify another document',
    howTitle: 'How it works',
    howBody:
      'Every sealed PDF contains a cryptographic signature (CMS/PKCS#7). This service checks it in the sealed copy that it stores. You can also verify it without this page, in a PDF reader such as Adobe Acrobat.',
  },
}

export type Texts = typeof en
