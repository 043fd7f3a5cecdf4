import { createHttpClient, type ClientOptions } from './http-client.ts'
import { createApiKeys } from './resources/api-keys.ts'
import { createFiles } from './resources/files.ts'
import { createProjects } from './resources/projects.ts'
import { createWebhooks } from './resources/webhooks.ts'

/** A client of one installation; make it once and share it. */
export class Zoetrope {
  readonly projects: ReturnType<typeof createProjects>
  readonly files: ReturnType<typeof createFiles>
  readonly webhooks: ReturnType<typeof createWebhooks>
  readonly apiKeys: ReturnType<typeof createApiKeys>

  constructor(options: ClientOptions) {
    const http = createHttpClient(options)
    this.projects = createProjects(http)
    this.files = createFiles(http)
    this.webhooks = createWebhooks(http)
    this.apiKeys = createApiKeys(http)
  }
}
