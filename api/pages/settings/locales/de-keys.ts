// Signing keys, in German.
import type { enKeys } from './en-keys.ts'

export const deKeys: typeof enKeys = {
  title: 'Siegelschlüssel',
  lead: 'Die Zertifikate, mit denen Ihre Dokumente gesiegelt werden. Die Schlüssel verwaltet der Betreiber dieser Installation.',
  current: 'Aktiv',
  former: 'Abgelöst',
  selfSigned: 'Selbstsigniert',
  imported: 'Importiert',
  selfSignedTitle: 'Dokumente werden mit einem selbstsignierten Schlüssel gesiegelt',
  selfSignedBody:
    'Änderungen an einem gesiegelten Dokument werden trotzdem erkannt, aber PDF-Programme melden den Aussteller der Signatur als unbekannt. Importieren Sie für den Produktivbetrieb einen Schlüssel mit dem Zertifikat einer anerkannten Zertifizierungsstelle.',
  compromised: 'Als kompromittiert markiert',
  compromisedFrom: (time) => `Nach ${time} erstellte Siegel sind nicht gültig.`,
  subject: 'Ausgestellt für',
  issuer: 'Ausgestellt von',
  validity: 'Gültig',
  validFromTo: (from, to) => `${from} bis ${to}`,
  since: 'In Gebrauch seit',
  fingerprint: 'Fingerabdruck (SHA-256)',
  algorithm: 'Schlüsseltyp',
  download: 'Zertifikatskette herunterladen',
  downloadFailed: 'Die Zertifikatskette konnte nicht heruntergeladen werden',
  emptyTitle: 'Noch keine Siegelschlüssel',
  emptyBody: 'Der erste Schlüssel erscheint, sobald der Siegeldienst läuft.',
  expired: 'Abgelaufen',
  endsSoon: (when) => `läuft ${when} ab`,
}
