// OpenAPI links: which response feeds which operation, for readers and for the fuzz tester.
import type { Link } from './types.ts'

const ENVELOPE = '$response.body#/id'
const SIGNER_TOKEN = '$response.body#/signingTokens/0/token'

/** Keyed by the operationId of the response. */
export const LINKS: Readonly<Record<string, Record<string, Link>>> = {
  createEnvelope: {
    attach: link('uploadEnvelopeDocument', 'Attach a document to the draft.', { id: ENVELOPE }),
    addSigner: link('addSigner', 'Add a signer to the draft.', { id: ENVELOPE }),
    send: link('sendEnvelope', 'Send it.', { id: ENVELOPE }),
    read: link('getEnvelope', 'Read it.', { id: ENVELOPE }),
    documents: link('listEnvelopeDocuments', 'List its documents.', { id: ENVELOPE }),
    cancel: link('cancelEnvelope', 'Cancel it after sending.', { id: ENVELOPE }),
    drop: link('deleteDraft', 'Delete the draft.', { id: ENVELOPE }),
  },
  sendEnvelope: {
    open: link('openSigningLink', "Open the first signer's link.", { token: SIGNER_TOKEN }),
    view: link('recordViewOpened', 'Record that the first signer opened the documents.', { token: SIGNER_TOKEN }),
    sign: link('sign', 'Sign as the first signer.', { token: SIGNER_TOKEN }),
    copy: link('getSignedCopy', "Fetch the first signer's copy.", { token: SIGNER_TOKEN }),
  },
}

function link(operationId: string, description: string, parameters: Record<string, string>): Link {
  return { operationId, description, parameters }
}
