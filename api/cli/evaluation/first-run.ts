// The last step of an evaluation: an organisation to try, and a Secret that says how to reach it.
import { createCredentialAsOperator } from '#core/account/credential/create-credential.ts'
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import { listOrganisations } from '#core/account/organisation/list-organisations.ts'
import { getGeneralWorkspace } from '#core/account/workspace/get-general-workspace.ts'
import type { Core } from '#core/context.ts'
import { openKube } from '#core/platform/kubernetes/open-kube.ts'
import { loadOrCreateSecret, readSecret } from '#core/platform/kubernetes/secret-calls.ts'
import { readConfig } from '../../config.ts'
import { findPublicUrl, withDatabase } from '../connect.ts'
import { ownNamespace } from '../own-namespace.ts'
import { EvaluationSecrets } from './secrets.ts'

export interface FirstRunOptions {
  /** The Secret to create. */
  secret: string
  /** The Secret of `prepare`. */
  evaluationSecret: string
}

const ORGANISATION = 'First organisation'
const ADMIN_EMAIL = 'admin@example.test'

/** Does nothing when the Secret is there. Throws one sentence when the Secret of `prepare` is missing. */
export async function writeFirstRun({ secret: name, evaluationSecret }: FirstRunOptions): Promise<void> {
  const settings = readConfig()
  await using kube = await openKube(settings)
  const namespace = ownNamespace(settings)
  const prepared = await readSecret(kube.requests, { namespace, name: evaluationSecret })
  if (!prepared)
    throw new Error(`The Secret ${namespace}/${evaluationSecret} is missing: run "sealwright evaluation prepare" first.`)
  const { adminPassword } = EvaluationSecrets.parse(prepared)
  await loadOrCreateSecret(kube.requests, { namespace, name }, async () => ({
    'dev.json': JSON.stringify(await newDevJson(adminPassword)),
  }))
}

async function newDevJson(adminPassword: string): Promise<Readonly<Record<string, string>>> {
  const baseUrl = await findPublicUrl()
  const organisation = await withDatabase((core) => findOrCreateOrganisation(core, adminPassword))
  return {
    baseUrl,
    tokenUrl: `${baseUrl}/oauth2/token`,
    settingsUrl: `${baseUrl}/settings`,
    ...organisation,
    adminEmail: ADMIN_EMAIL,
    adminPassword,
  }
}

/** An earlier run may have ended between the organisation and the Secret: then the organisation gets another credential. */
async function findOrCreateOrganisation(
  core: Pick<Core, 'database'>,
  password: string,
): Promise<{ orgId: string; generalWorkspaceId: string; clientId: string; clientSecret: string }> {
  const earlier = (await listOrganisations(core)).find(({ name }) => name === ORGANISATION)
  if (!earlier) {
    const admin = { email: ADMIN_EMAIL, name: 'Administrator', password }
    const { orgId, generalWorkspaceId, clientId, clientSecret } = await createOrganisation(core, { name: ORGANISATION, admin })
    return { orgId, generalWorkspaceId, clientId, clientSecret }
  }
  const generalWorkspaceId = await getGeneralWorkspace(core, earlier.id)
  const { clientId, clientSecret } = await createCredentialAsOperator(core, earlier.id, { name: 'First credential', grant: {} })
  return { orgId: earlier.id, generalWorkspaceId, clientId, clientSecret }
}
