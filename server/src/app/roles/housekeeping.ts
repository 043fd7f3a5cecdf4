import { analyticsHousekeeping } from '../../analytics/store/housekeeping.ts'
import { auditHousekeeping } from '../../accounts/audit/housekeeping.ts'
import { identityHousekeeping } from '../../accounts/identity/housekeeping.ts'
import { uploadHousekeeping } from '../../ingest/uploads/cleanup/housekeeping.ts'
import { evictRungs } from '../../ingest/encoding/on-demand/eviction/evict-rungs.ts'
import { settleLeft } from '../../ingest/encoding/on-demand/settle-on-demand.ts'
import { dropOldEncodingDays } from '../../library/files/on-demand/encoding-budget.ts'
import { fileHousekeeping } from '../../library/files/housekeeping.ts'
import { pictureHousekeeping } from '../../library/pictures/housekeeping.ts'
import { playlistHousekeeping } from '../../library/playlists/housekeeping.ts'
import { createTouchPlaylists } from '../../library/playlists/touch-playlists.ts'
import { projectHousekeeping } from '../../library/projects/housekeeping.ts'
import { liveHousekeeping } from '../../live/control/housekeeping.ts'
import { webhookHousekeeping } from '../../notifications/webhooks/housekeeping.ts'
import { httpHousekeeping } from '../../platform/http/housekeeping.ts'
import { mailHousekeeping } from '../../platform/mail/housekeeping.ts'
import type { HousekeepingTask } from '../../platform/jobs/housekeeping.ts'
import { dropOldRevocations } from '../../playback/access/revoke-link.ts'
import type { Stagings } from '../../ingest/uploads/store/stagings.ts'
import { findUsedMultiparts } from '../../ingest/uploads/store/s3/used-multiparts.ts'
import type { Services } from './services.ts'

export const housekeepingTasks = (
  services: Services & { readonly stagings: Stagings },
): readonly HousekeepingTask[] => {
  const { config, database, blobs } = services
  const { publicUrl, retentionDays } = config
  return [
    ...httpHousekeeping(database, config),
    ...identityHousekeeping(database, config),
    ...auditHousekeeping(database, config),
    ...analyticsHousekeeping(database, config),
    ...pictureHousekeeping(database),
    ...playlistHousekeeping(database, config),
    ...liveHousekeeping(database, blobs, config),
    ...webhookHousekeeping(services, config),
    () => dropOldRevocations(database),
    () => dropOldEncodingDays(database),
    () => settleLeft({ database, publicUrl }),
    () => evictRungs({ database, blobs, publicUrl }, config.ladderKeepDays),
    ...uploadHousekeeping({ ...services, publicUrl, touchPlaylists: createTouchPlaylists(publicUrl) }),
    ...fileHousekeeping({
      ...services,
      retentionDays,
      usedMultiparts: (ids) => findUsedMultiparts(database, ids),
    }),
    ...projectHousekeeping({ ...services, publicUrl, retentionDays }),
    ...mailHousekeeping(database),
  ]
}
