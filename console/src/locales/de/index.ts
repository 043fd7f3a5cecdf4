import account from './account.json' with { type: 'json' }
import analytics from './analytics.json' with { type: 'json' }
import catalog from './catalog.json' with { type: 'json' }
import file from './file.json' with { type: 'json' }
import library from './library.json' with { type: 'json' }
import live from './live.json' with { type: 'json' }
import notifications from './notifications.json' with { type: 'json' }
import playlists from './playlists.json' with { type: 'json' }
import projects from './projects.json' with { type: 'json' }
import shell from './shell.json' with { type: 'json' }
import start from './start.json' with { type: 'json' }
import ui from './ui.json' with { type: 'json' }
import uploads from './uploads.json' with { type: 'json' }
import usage from './usage.json' with { type: 'json' }
import type { FirstTexts } from '../en/index.ts'

export const texts: FirstTexts = {
  account,
  analytics,
  catalog,
  file,
  library,
  live,
  notifications,
  playlists,
  projects,
  shell,
  start,
  ui,
  uploads,
  usage,
}
