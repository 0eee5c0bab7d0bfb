// A column with values that the installation key made, and how one is renewed with a new key.
import { equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import type { KeySet } from '#core/platform/crypto/key-set.ts'

export interface RenewedColumn {
  table: string
  column: string
  /** The columns that identify a row and its value. */
  keys: readonly string[]
  /** The value made with the current key; undefined when it is. `ids` are the values of `keys`. Throws when neither key made it. */
  renew: (pair: KeyPair, ids: readonly unknown[], value: Buffer) => Buffer | undefined
}

export interface KeyPair {
  current: KeySet
  /** The one that is replaced; absent when none is. */
  previous: KeySet | undefined
}

/** Renews an encrypted secret. */
export function renewedBox(contextOf: (ids: readonly unknown[]) => string): RenewedColumn['renew'] {
  return ({ current, previous }, ids, box) => {
    const context = contextOf(ids)
    if (opens(current, box, context)) return undefined
    if (!previous) throw new Error('The secret was encrypted with another key.')
    return current.seal(previous.open(box, context), context)
  }
}

/** Renews a MAC over a statement of the audit trail. */
export function renewedMac(statementOf: (ids: readonly unknown[]) => string): RenewedColumn['renew'] {
  return ({ current, previous }, ids, mac) => {
    const statement = statementOf(ids)
    const renewed = current.auditMac(statement)
    if (equalSecrets(mac, renewed)) return undefined
    // Signing a head that is not ours would make it valid.
    if (!previous || !equalSecrets(mac, previous.auditMac(statement))) throw new Error('The MAC was made with another key.')
    return renewed
  }
}

function opens(key: KeySet, box: Buffer, context: string): boolean {
  try {
    key.open(box, context)
    return true
  } catch {
    return false
  }
}
