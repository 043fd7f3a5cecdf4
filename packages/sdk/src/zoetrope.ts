import { createHttpClient, type ClientOptions, type HttpClient } from './http-client.ts'
import { createApiKeys } from './resources/api-keys.ts'
import { createAudit } from './resources/audit.ts'
import { createCaptions } from './resources/captions.ts'
import { createCategories, createIabCategories, createShares, createVideotypes } from './resources/catalog.ts'
import { createEvents } from './resources/events.ts'
import { createFactors } from './resources/factors.ts'
import { createFiles } from './resources/files.ts'
import { createInvitations } from './resources/invitations.ts'
import { createLive } from './resources/live.ts'
import { createPartners } from './resources/partners.ts'
import { createPictures } from './resources/pictures.ts'
import { createPlaylists } from './resources/playlists.ts'
import { createProjects } from './resources/projects.ts'
import { createSessions } from './resources/sessions.ts'
import { createAnalytics } from './resources/analytics.ts'
import { createUsage } from './resources/usage.ts'
import { createUsers } from './resources/users.ts'
import { createWebhooks } from './resources/webhooks.ts'

/** Client of one installation. Create it once and share it. */
export class Zoetrope {
  readonly projects: ReturnType<typeof createProjects>
  readonly files: ReturnType<typeof createFiles>
  readonly pictures: ReturnType<typeof createPictures>
  readonly captions: ReturnType<typeof createCaptions>
  readonly live: ReturnType<typeof createLive>
  readonly playlists: ReturnType<typeof createPlaylists>
  readonly categories: ReturnType<typeof createCategories>
  readonly videotypes: ReturnType<typeof createVideotypes>
  readonly shares: ReturnType<typeof createShares>
  readonly iabCategories: ReturnType<typeof createIabCategories>
  readonly events: ReturnType<typeof createEvents>
  readonly webhooks: ReturnType<typeof createWebhooks>
  readonly users: ReturnType<typeof createUsers>
  readonly invitations: ReturnType<typeof createInvitations>
  readonly sessions: ReturnType<typeof createSessions>
  readonly factors: ReturnType<typeof createFactors>
  readonly apiKeys: ReturnType<typeof createApiKeys>
  readonly partners: ReturnType<typeof createPartners>
  readonly audit: ReturnType<typeof createAudit>
  readonly usage: ReturnType<typeof createUsage>
  readonly analytics: ReturnType<typeof createAnalytics>
  /**
   * Calls any operation by its operationId in openapi.json, for programs that work from a table of operations.
   */
  readonly call: HttpClient['call']

  constructor(options: ClientOptions) {
    const http = createHttpClient(options)
    this.projects = createProjects(http)
    this.files = createFiles(http)
    this.pictures = createPictures(http)
    this.captions = createCaptions(http)
    this.live = createLive(http)
    this.playlists = createPlaylists(http)
    this.categories = createCategories(http)
    this.videotypes = createVideotypes(http)
    this.shares = createShares(http)
    this.iabCategories = createIabCategories(http)
    this.events = createEvents(http)
    this.webhooks = createWebhooks(http)
    this.users = createUsers(http)
    this.invitations = createInvitations(http)
    this.sessions = createSessions(http)
    this.factors = createFactors(http)
    this.apiKeys = createApiKeys(http)
    this.partners = createPartners(http)
    this.audit = createAudit(http)
    this.usage = createUsage(http)
    this.analytics = createAnalytics(http)
    this.call = http.call
  }
}
