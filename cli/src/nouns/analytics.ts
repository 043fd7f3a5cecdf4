import { metricVerb } from '../analytics/metric-verb.ts'
import type { Noun } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'

export const analytics: Noun = {
  summary: 'Who watches, and how well it plays',
  verbs: {
    views: metricVerb('views', 'Sessions that played for at least two seconds'),
    uniqueviewers: metricVerb('uniqueviewers', 'Viewers with at least one view, counted once a day'),
    watchtime: metricVerb('watchtime', 'Seconds of playing'),
    averageviewtime: metricVerb('averageviewtime', 'Watch time divided by views'),
    startuptime: metricVerb('startuptime', 'Milliseconds until the first frame'),
    rebuffering: metricVerb('rebuffering', 'Share of rebuffering'),
    failures: metricVerb('failures', 'Sessions with an error before the first frame'),
    errors: metricVerb('errors', 'Sessions with an error after the first frame'),
    exits: metricVerb('exits', 'Sessions that the viewer left before the first frame'),
    livelatency: metricVerb('livelatency', 'Latency of live streams in milliseconds'),
    concurrentviewers: metricVerb('concurrentviewers', 'Largest number of views in the same minute'),
    bytes: metricVerb('bytes', 'Bytes that the api processes sent'),
    now: operationCommand('getRealtimeAnalytics'),
    sessions: operationCommand('listViews', {
      columns: ['Id', 'FileId', 'StartedAt', 'WatchSeconds', 'StartupMs', 'Rebuffers', 'ErrorCode', 'Site'],
    }),
    file: operationCommand('getFileAnalytics'),
    retention: operationCommand('getFileRetention'),
    heatmap: operationCommand('getFileHeatmap'),
    hotspots: operationCommand('getFileHotspots'),
  },
}
