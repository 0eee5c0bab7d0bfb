// Emailed one-time codes: nothing is shown or signed without one, and a code is valid only for its link.
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Installation } from '../support/servers/installations.ts'
import { signer } from '../support/clients/signer.ts'
import { aPersonNamed, aSentEnvelope, aWorkspace, type Workspace } from './workspace.ts'

const CODE = /\b\d{6}\b/

/** `installation` is called when the tests run. */
export function describeCodes(installation: () => Installation): void {
  describe('one-time codes', () => {
    let workspace: Workspace
    beforeAll(async () => {
      workspace = await aWorkspace(installation())
    })

    /** A signer who needs a code, and how to read the newest emailed one. */
    async function aSigner() {
      const { tokens } = await aSentEnvelope(workspace, { signers: [aPersonNamed('Ada Tenant')], otpRequired: true })
      const [{ token, email }] = tokens as [(typeof tokens)[0]]
      const mailedCode = async (text = CODE) => CODE.exec((await installation().mailbox.awaitMail(email, text)).text)![0]
      return { person: signer(installation().baseUrl, token), mailedCode }
    }

    test('open the documents to a signer who enters the emailed one, and allow the signature', async () => {
      const { person, mailedCode } = await aSigner()
      expect((await person.open()).body).toMatchObject({ requiresOtp: true, documents: [] })
      expect((await person.viewOpened()).body.code).toBe('OTP_REQUIRED')
      expect((await person.sign()).body.code).toBe('OTP_REQUIRED')
      const { body: challenge } = await person.requestOtp()
      expect(challenge).toMatchObject({ resent: true, codeUnusable: false })
      const code = await mailedCode()
      const wrong = code === '111111' ? '222222' : '111111'
      expect((await person.verifyOtp(challenge.challengeId, wrong)).body.verified).toBe(false)
      expect((await person.verifyOtp(challenge.challengeId, code)).body.verified).toBe(true)
      expect((await person.verifyOtp(challenge.challengeId, code)).body.verified).toBe(false)
      expect((await person.open()).body).toMatchObject({ requiresOtp: false, documents: [{ filename: 'document.pdf' }] })
      expect((await person.viewOpened()).status).toBe(204)
      expect((await person.sign()).body.completed).toBe(true)
    })

    test('are emailed again after the cooldown, not before; the previous one stops working', async () => {
      const { person, mailedCode } = await aSigner()
      const { body: first } = await person.requestOtp()
      const { body: again } = await person.requestOtp()
      expect(again).toMatchObject({ challengeId: first.challengeId, resent: false })
      const code = await mailedCode()
      await delay(again.resendAvailableInSeconds * 1_000 + 100)
      const { body: second } = await person.requestOtp()
      expect(second.resent).toBe(true)
      expect(second.challengeId).not.toBe(first.challengeId)
      const fresh = await mailedCode(new RegExp(String.raw`\b(?!${code})\d{6}\b`))
      expect((await person.verifyOtp(first.challengeId, code)).body.verified).toBe(false)
      expect((await person.verifyOtp(second.challengeId, fresh)).body.verified).toBe(true)
    })

    test('are blocked after five wrong attempts, also the right one', async () => {
      const { person, mailedCode } = await aSigner()
      const { body: challenge } = await person.requestOtp()
      for (let tries = 0; tries < 5; tries++) await person.verifyOtp(challenge.challengeId, 'wrong')
      expect((await person.verifyOtp(challenge.challengeId, await mailedCode())).body.verified).toBe(false)
      expect((await person.sign()).body.code).toBe('OTP_REQUIRED')
    })
  })
}
