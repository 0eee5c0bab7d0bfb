// Every route of the API and of the panel, in two flat lists.
import type { PanelEntryRoute, PanelRoute, Route } from '../http/define-route.ts'
import { getSignedCopyRoute } from './ceremony/get-signed-copy.ts'
import { openLinkRoute } from './ceremony/open-link.ts'
import { recordViewClosedRoute } from './ceremony/record-view-closed.ts'
import { recordViewOpenedRoute } from './ceremony/record-view-opened.ts'
import { requestOtpRoute } from './ceremony/request-otp.ts'
import { signRoute } from './ceremony/sign.ts'
import { verifyOtpRoute } from './ceremony/verify-otp.ts'
import { uploadDocumentRoute } from './documents/upload-document.ts'
import { addSignerRoute } from './envelopes/add-signer.ts'
import { cancelEnvelopeRoute } from './envelopes/cancel-envelope.ts'
import { createEnvelopeRoute } from './envelopes/create-envelope.ts'
import { deleteDraftRoute } from './envelopes/delete-draft.ts'
import { getEnvelopeStatsRoute } from './envelopes/get-envelope-stats.ts'
import { getEnvelopeRoute } from './envelopes/get-envelope.ts'
import { listEnvelopeDocumentsRoute } from './envelopes/list-envelope-documents.ts'
import { listEnvelopesRoute } from './envelopes/list-envelopes.ts'
import { sendEnvelopeRoute } from './envelopes/send-envelope.ts'
import { uploadEnvelopeDocumentRoute } from './envelopes/upload-envelope-document.ts'
import { createSessionRoute } from './settings/session/create-session.ts'
import { deleteSessionRoute } from './settings/session/delete-session.ts'
import { getSessionRoute } from './settings/session/get-session.ts'
import { createCredentialRoute } from './settings/credentials/create-credential.ts'
import { listCredentialsRoute } from './settings/credentials/list-credentials.ts'
import { revokeCredentialRoute } from './settings/credentials/revoke-credential.ts'
import { revokePreviousSecretRoute } from './settings/credentials/revoke-previous-secret.ts'
import { rotateCredentialSecretRoute } from './settings/credentials/rotate-credential-secret.ts'
import { updateCredentialRoute } from './settings/credentials/update-credential.ts'
import { getAuditTrailRoute } from './settings/envelopes/get-audit-trail.ts'
import { getPanelEnvelopeStatsRoute } from './settings/envelopes/get-panel-envelope-stats.ts'
import { getPanelEnvelopeRoute } from './settings/envelopes/get-panel-envelope.ts'
import { listPanelEnvelopeDocumentsRoute } from './settings/envelopes/list-panel-envelope-documents.ts'
import { listPanelEnvelopesRoute } from './settings/envelopes/list-panel-envelopes.ts'
import { releaseLegalHoldRoute } from './settings/envelopes/release-legal-hold.ts'
import { setLegalHoldRoute } from './settings/envelopes/set-legal-hold.ts'
import { getOrganisationRoute } from './settings/organisation/get-organisation.ts'
import { updateOrganisationRoute } from './settings/organisation/update-organisation.ts'
import { getSigningChainRoute } from './settings/signing-keys/get-signing-chain.ts'
import { listSigningKeysRoute } from './settings/signing-keys/list-signing-keys.ts'
import { listWebhooksRoute } from './settings/webhooks/list-webhooks.ts'
import { createWebhookRoute } from './settings/webhooks/create-webhook.ts'
import { getWebhookRoute } from './settings/webhooks/get-webhook.ts'
import { updateWebhookRoute } from './settings/webhooks/update-webhook.ts'
import { deleteWebhookRoute } from './settings/webhooks/delete-webhook.ts'
import { rotateWebhookSecretRoute } from './settings/webhooks/rotate-webhook-secret.ts'
import { revokePreviousWebhookSecretRoute } from './settings/webhooks/revoke-previous-webhook-secret.ts'
import { revealWebhookSecretRoute } from './settings/webhooks/reveal-webhook-secret.ts'
import { testWebhookRoute } from './settings/webhooks/test-webhook.ts'
import { listDeliveriesRoute } from './settings/webhooks/list-deliveries.ts'
import { getDeliveryRoute } from './settings/webhooks/get-delivery.ts'
import { replayDeliveryRoute } from './settings/webhooks/replay-delivery.ts'
import { replayDeliveriesRoute } from './settings/webhooks/replay-deliveries.ts'
import { createWorkspaceRoute } from './settings/workspaces/create-workspace.ts'
import { deleteWorkspaceRoute } from './settings/workspaces/delete-workspace.ts'
import { listMembersRoute } from './settings/workspaces/list-members.ts'
import { listPanelWorkspacesRoute } from './settings/workspaces/list-panel-workspaces.ts'
import { renameWorkspaceRoute } from './settings/workspaces/rename-workspace.ts'
import { replaceMembersRoute } from './settings/workspaces/replace-members.ts'
import { getSignInMethodsRoute } from './settings/session/get-sign-in-methods.ts'
import { invitePersonRoute } from './settings/people/invite-person.ts'
import { listPeopleRoute } from './settings/people/list-people.ts'
import { removePersonRoute } from './settings/people/remove-person.ts'
import { sendSetupLinkRoute } from './settings/people/send-setup-link.ts'
import { setPasswordRoute } from './settings/session/set-password.ts'
import { listActivityRoute } from './settings/activity/list-activity.ts'
import { changePasswordRoute } from './settings/session/change-password.ts'
import { stepUpRoute } from './settings/session/step-up.ts'
import { getFactorRoute } from './settings/factor/get-factor.ts'
import { beginFactorRoute } from './settings/factor/begin-factor.ts'
import { confirmFactorRoute } from './settings/factor/confirm-factor.ts'
import { removeFactorRoute } from './settings/factor/remove-factor.ts'
import { renewRecoveryCodesRoute } from './settings/factor/renew-recovery-codes.ts'
import { resetFactorRoute } from './settings/people/reset-factor.ts'
import { updatePersonRoute } from './settings/people/update-person.ts'
import { verifySignatureRoute } from './verify/verify-signature.ts'
import { listWorkspacesRoute } from './workspaces/list-workspaces.ts'

export const ROUTES: readonly Route[] = [
  uploadDocumentRoute,
  listEnvelopesRoute,
  createEnvelopeRoute,
  // Before the route with an id, which would match `stats`.
  getEnvelopeStatsRoute,
  getEnvelopeRoute,
  deleteDraftRoute,
  addSignerRoute,
  uploadEnvelopeDocumentRoute,
  sendEnvelopeRoute,
  listEnvelopeDocumentsRoute,
  cancelEnvelopeRoute,
  listWorkspacesRoute,
  openLinkRoute,
  requestOtpRoute,
  verifyOtpRoute,
  recordViewOpenedRoute,
  recordViewClosedRoute,
  signRoute,
  getSignedCopyRoute,
  verifySignatureRoute,
]

/** Every route of the panel, under `/settings/api`. */
export const PANEL_ROUTES: readonly (PanelRoute | PanelEntryRoute)[] = [
  getSignInMethodsRoute,
  createSessionRoute,
  getSessionRoute,
  deleteSessionRoute,
  setPasswordRoute,
  changePasswordRoute,
  stepUpRoute,
  getFactorRoute,
  beginFactorRoute,
  confirmFactorRoute,
  removeFactorRoute,
  renewRecoveryCodesRoute,
  listPeopleRoute,
  invitePersonRoute,
  updatePersonRoute,
  removePersonRoute,
  sendSetupLinkRoute,
  resetFactorRoute,
  listActivityRoute,
  listCredentialsRoute,
  createCredentialRoute,
  updateCredentialRoute,
  rotateCredentialSecretRoute,
  revokePreviousSecretRoute,
  revokeCredentialRoute,
  listWebhooksRoute,
  createWebhookRoute,
  getWebhookRoute,
  updateWebhookRoute,
  deleteWebhookRoute,
  rotateWebhookSecretRoute,
  revokePreviousWebhookSecretRoute,
  revealWebhookSecretRoute,
  testWebhookRoute,
  listDeliveriesRoute,
  getDeliveryRoute,
  replayDeliveryRoute,
  replayDeliveriesRoute,
  listPanelWorkspacesRoute,
  createWorkspaceRoute,
  renameWorkspaceRoute,
  deleteWorkspaceRoute,
  listMembersRoute,
  replaceMembersRoute,
  getOrganisationRoute,
  updateOrganisationRoute,
  listSigningKeysRoute,
  getSigningChainRoute,
  listPanelEnvelopesRoute,
  // Before the route with an id, which would match `stats`.
  getPanelEnvelopeStatsRoute,
  getPanelEnvelopeRoute,
  listPanelEnvelopeDocumentsRoute,
  getAuditTrailRoute,
  setLegalHoldRoute,
  releaseLegalHoldRoute,
]
