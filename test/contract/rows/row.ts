// What a row of the contract is: its promise in our words, or why it cannot be kept yet.
export type Section = Record<string, string | { later: string }>

export const WEBHOOKS = 'webhooks are an issue of their own'
export const KUBERNETES = 'Kubernetes is an issue of its own'
export const TIME_STAMPS = 'time stamps of an outside authority are an issue of their own'
