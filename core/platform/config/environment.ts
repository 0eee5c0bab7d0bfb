/** The variables of a process; one that is empty is as good as none. */
export type Environment = Readonly<Record<string, string | undefined>>
