// A database that is read-only, like a standby or one that its owner has switched.
import { openDatabase } from '#core/platform/postgres/client.ts'

export interface ReadOnlySwitch extends AsyncDisposable {
  /** Applies from the next statement of all other sessions. */
  set(readOnly: boolean): Promise<void>
}

/** Its own session can always write. */
export function readOnlySwitch(url: string): ReadOnlySwitch {
  const owner = openDatabase({ url, pool: 1 })
  return {
    async set(readOnly) {
      await owner`set default_transaction_read_only = off`
      await owner.unsafe(
        `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = ${String(readOnly)}`,
      )
      // Existing sessions keep their setting.
      await owner`
        select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    },
    [Symbol.asyncDispose]: () => owner.end(),
  }
}
