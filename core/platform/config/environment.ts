/** The environment variables of a process; an empty variable counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>
