// The active and retired signing keys with their certificate chains for download.
import { ActionButton } from '../../components/action-button.tsx'
import { DownloadIcon } from '../../components/icons.tsx'
import { Notice } from '../../components/notice.tsx'
import type { SigningKey } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { saveFile } from '../../http/save-file.ts'
import { useAction } from '../data/use-action.ts'
import { useResource } from '../data/use-resource.ts'
import { Area, Section } from '../frame/area.tsx'
import { EmptyState, Facts } from '../frame/parts.tsx'
import { formatDay, formatExactly } from '../locales/format.ts'
import { panelFailureText } from '../locales/panel-failure-text.ts'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { certificateName } from './certificate-name.ts'
import { KeyMarks, SelfSignedNotice } from './key-marks.tsx'

export function SigningKeysArea() {
  const keys = useResource<SigningKey[]>('/signing-keys')
  return (
    <Area title={texts.keys.title} lead={texts.keys.lead}>
      <ResourceView resource={keys}>{(list) => <Keys keys={list} />}</ResourceView>
    </Area>
  )
}

function Keys({ keys }: { keys: readonly SigningKey[] }) {
  const current = keys.filter((key) => key.current)
  const former = keys.filter((key) => !key.current)
  if (keys.length === 0) return <EmptyState title={texts.keys.emptyTitle} body={texts.keys.emptyBody} />
  return (
    <>
      {current.some((key) => key.origin === 'SELF_MADE') && <SelfSignedNotice />}
      {current.map((key) => (
        <KeySheet key={key.fingerprint} title={texts.keys.current} signingKey={key} />
      ))}
      {former.map((key) => (
        <KeySheet key={key.fingerprint} title={texts.keys.former} signingKey={key} />
      ))}
    </>
  )
}

function KeySheet({ title, signingKey }: { title: string; signingKey: SigningKey }) {
  const { fingerprint, subject, issuer, algorithm, notBefore, notAfter, sealingSince, compromisedFrom } = signingKey
  return (
    <Section title={title} actions={<KeyMarks signingKey={signingKey} />}>
      {compromisedFrom && (
        <Notice tone="warning" title={texts.keys.compromised}>
          {texts.keys.compromisedFrom(formatExactly(compromisedFrom))}
        </Notice>
      )}
      <Facts
        facts={[
          [texts.keys.subject, certificateName(subject)],
          [texts.keys.issuer, certificateName(issuer)],
          [texts.keys.algorithm, algorithm],
          [texts.keys.validity, texts.keys.validFromTo(formatDay(notBefore), formatDay(notAfter))],
          [texts.keys.since, formatDay(sealingSince)],
          [texts.keys.fingerprint, <code>{fingerprint}</code>],
        ]}
      />
      <ChainButton fingerprint={fingerprint} />
    </Section>
  )
}

function ChainButton({ fingerprint }: { fingerprint: string }) {
  const store = useSessionStore()
  const download = useAction(
    () => store.file(`/signing-keys/${fingerprint}/chain`, 'application/pem-certificate-chain'),
    (chain) => saveFile(chain, `sealwright-${fingerprint.slice(0, 12)}.pem`),
  )
  return (
    <>
      <ActionButton look="secondary" isPending={download.isRunning} onPress={() => void download.run()}>
        <DownloadIcon />
        {texts.keys.download}
      </ActionButton>
      {download.failure && (
        <Notice tone="warning" title={texts.keys.downloadFailed}>
          {panelFailureText(download.failure)}
        </Notice>
      )}
    </>
  )
}
