// The API group of the custom resources.
export const GROUP = 'sealwright.io'
export const VERSION = 'v1alpha1'
