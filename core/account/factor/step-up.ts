// Proves the second factor again in a session, before an act that needs a recent proof.
import { markFactorProved } from '#core/account/session/store.ts'
import type { PersonCaller } from '#core/context.ts'
import { hashToken } from '#core/platform/crypto/tokens.ts'
import type { CodeInput } from './confirm-factor.ts'
import { type CodeCore, tryCode } from './try-code.ts'
import { useCode } from './use-code.ts'

/** The proof lasts for FACTOR_PROOF_SECONDS. Throws as `tryCode`. */
export async function stepUp(core: CodeCore, caller: PersonCaller, { code, sessionToken, device }: CodeInput): Promise<void> {
  await tryCode(core, caller, device, async (sql) => {
    if (!(await useCode(sql, core.keys, caller, code))) return undefined
    await markFactorProved(sql, caller.orgId, hashToken(sessionToken))
    return true
  })
}
