// The fields that both kinds share, as zod schemas that become structural schemas of Kubernetes. Every string and list is bounded.
import { z } from 'zod'
import type { CelRule } from './kind.ts'

const DNS_LABEL = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?'
const SECRET_KEY = /^[-._a-zA-Z0-9]+$/
const TIME_AT_MOST = 40

/** The keyword that holds CEL rules. */
export function rules(...list: readonly CelRule[]): { 'x-kubernetes-validations': readonly CelRule[] } {
  return { 'x-kubernetes-validations': list }
}

export const OrganisationId = z
  .string()
  .max(36)
  .regex(/^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/)

export const Origin = z.enum(['API', 'Kubernetes'])

/** Opaque. A new value asks once. Control characters are refused because Postgres cannot store all of them. */
export const RequestToken = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[^\x00-\x1f\x7f]+$/) // oxlint-disable-line no-control-regex -- they are what it refuses

export const ObjectName = z
  .string()
  .min(1)
  .max(253)
  .regex(new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`))

export const SecretKey = z.string().min(1).max(253).regex(SECRET_KEY)

/** Duration in hours, minutes and seconds, as in all of Kubernetes. CEL and cert-manager read the same form. */
export const Duration = z
  .string()
  .min(2)
  .max(24)
  .regex(/^(?:[0-9]{1,6}h)?(?:[0-9]{1,6}m)?(?:[0-9]{1,7}s)?$/)

export const Time = z.string().max(TIME_AT_MOST).meta({ format: 'date-time' })

export const Counter = z.int().min(0).meta({ format: 'int64' })

/** Text of a status: bounded, because etcd stores it. */
export function statusText(most: number) {
  return z.string().max(most)
}
