// The Express application. Middleware runs in this order.
import type { Core } from '#core/context.ts'
import type { ReportPool } from '#core/audit-report/report-pool.ts'
import type { FileMailbox } from '#core/mail/file-mailbox.ts'
import express, { type Express } from 'express'
import { PANEL_ROUTES, ROUTES } from '../routes/index.ts'
import { checkHost } from './middleware/check-host.ts'
import { description } from './mounts/description.ts'
import { devMails } from './mounts/dev-mails.ts'
import { devWebhooks } from './mounts/dev-webhooks/dev-webhooks.ts'
import type { WebhookInbox } from './mounts/dev-webhooks/inbox.ts'
import { docs } from './mounts/docs.ts'
import { downloads } from './mounts/downloads.ts'
import { errorHandler } from './response/error-handler.ts'
import { health } from './mounts/health.ts'
import { mountRoutes } from './mount-routes.ts'
import { notFound } from './mounts/not-found.ts'
import { hasDevPages, isFromThisMachine, onThisMachine } from './middleware/on-this-machine.ts'
import { oidcEndpoint } from './auth/oidc-endpoint.ts'
import { pages } from './mounts/pages.ts'
import { openRateLimiter } from './middleware/rate-limiter.ts'
import { requestLog } from './middleware/request-log.ts'
import { startPage } from './mounts/start-page.ts'
import { securityHeaders } from './middleware/security-headers.ts'
import { tokenEndpoint } from './auth/token-endpoint.ts'
import { trace } from './middleware/trace.ts'

export interface AppOptions {
  reports: ReportPool
  /** Folder for uploads during inspection. */
  spoolDir: string
  /** Folder of the built pages. */
  pagesDir: string
  /** The origin of presigned URLs, when it is not this service. */
  storeOrigin?: string | undefined
  /** The mailbox of the embedded run. */
  fileMailbox?: FileMailbox | undefined
  /** The webhook receiver of the embedded run. */
  webhookInbox?: WebhookInbox | undefined
  /** How long the body of a request may take. */
  bodySeconds?: { json: number; upload: number }
}

/** An upload gets as long as the server waits for any request: enough for 50 MB over a slow line. */
const BODY_SECONDS = { json: 30, upload: 300 }

/** The application, ready to be served. */
export function createApp(core: Core, options: AppOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  // Responses are not cacheable, so ETags are useless.
  app.disable('etag')
  app.set('query parser', 'simple')
  app.set('trust proxy', core.settings.trustedProxies)
  const limitRates = openRateLimiter(core)
  app.use(trace, requestLog(core.log), securityHeaders(options.storeOrigin, core.settings.publicUrl), checkHost(core.settings))
  const { json: bodySeconds, upload: maxSeconds } = options.bodySeconds ?? BODY_SECONDS
  const uploads = { spoolDir: options.spoolDir, maxBytes: core.settings.maxUploadBytes, maxSeconds }
  // The busiest routes come first: Express tries routers in order.
  app.use(mountRoutes({ core, reports: options.reports, limitRates, uploads, bodySeconds }, [...ROUTES, ...PANEL_ROUTES]))
  app.use(health(core, options.spoolDir), description(core.settings.publicUrl), docs(core.settings.publicUrl))
  app.use(tokenEndpoint(core, limitRates, bodySeconds))
  app.use(downloads(core))
  const { fileMailbox, webhookInbox } = hasDevPages(core.settings) ? options : {}
  if (fileMailbox) app.use(onThisMachine(devMails(fileMailbox)))
  if (webhookInbox) app.use(onThisMachine(devWebhooks(webhookInbox, bodySeconds)))
  const devPages = [...(fileMailbox ? (['mails'] as const) : []), ...(webhookInbox ? (['webhooks'] as const) : [])]
  app.use(startPage((request) => (isFromThisMachine(request) ? devPages : [])))
  app.use(oidcEndpoint(core))
  app.use(pages(options.pagesDir))
  app.use(notFound())
  app.use(errorHandler(core.log))
  return app
}
