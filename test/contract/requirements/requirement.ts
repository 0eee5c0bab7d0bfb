// A requirement of the contract in our words, or why it is not met yet.
export type Section = Record<string, string | { later: string }>

export const TIME_STAMPS = 'time stamps of an external authority are a separate issue'
