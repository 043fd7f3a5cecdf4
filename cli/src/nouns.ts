import type { Noun } from './command.ts'
import { categories, iabcategories, shares, videotypes } from './nouns/catalog.ts'
import { events } from './nouns/events.ts'
import { captions, files, pictures } from './nouns/files.ts'
import { keys } from './nouns/keys.ts'
import { live, targets } from './nouns/live.ts'
import { partners } from './nouns/partners.ts'
import { playlists } from './nouns/playlists.ts'
import { logo, projects, watermark } from './nouns/projects.ts'
import { audit, invitations, sessions, users } from './nouns/users.ts'
import { alerts } from './nouns/alerts.ts'
import { analytics } from './nouns/analytics.ts'
import { usage } from './nouns/usage.ts'
import { webhooks } from './nouns/webhooks.ts'

export const nouns: Readonly<Record<string, Noun>> = {
  projects,
  files,
  captions,
  pictures,
  watermark,
  logo,
  playlists,
  live,
  targets,
  webhooks,
  events,
  categories,
  videotypes,
  shares,
  iabcategories,
  users,
  invitations,
  sessions,
  keys,
  partners,
  audit,
  usage,
  alerts,
  analytics,
}
