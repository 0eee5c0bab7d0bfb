// Which version of its row a custom resource shows.
export interface ShownVersion {
  kind: 'WebhookSubscription' | 'SigningKey'
  namespace: string
  name: string
  uid: string | null
  /** Id of a row managed in the database; its object is named by it. */
  rowId: string | null
  rowVersion: number
  /** Id of the row that a webhook's object says it shows. */
  shownId: string | null
}
