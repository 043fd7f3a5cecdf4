import { breakdownVerb } from '../analytics/breakdown-verb.ts'
import { metricVerb } from '../analytics/metric-verb.ts'
import { sessionsVerb } from '../analytics/sessions-verb.ts'
import type { Noun } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'

export const analytics: Noun = {
  summary: 'Who watches, and how well playback works',
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
    rebuffercount: metricVerb('rebuffercount', 'Interruptions per view'),
    completeviews: metricVerb('completeviews', 'Views that played at least 90 % of the length'),
    failurerate: metricVerb('failurerate', 'Share of sessions with an error before the first frame'),
    errorrate: metricVerb('errorrate', 'Share of sessions with an error after the first frame'),
    exitrate: metricVerb('exitrate', 'Share of sessions that the viewer left before the first frame'),
    averagebitrate: metricVerb('averagebitrate', 'Mean bit rate in bits per second'),
    upscaling: metricVerb('upscaling', 'Share of playing time with a picture larger than the rendition'),
    viewerexperiencescore: metricVerb('viewerexperiencescore', 'Weighted mean of the other scores, 0 to 100'),
    playbacksuccessscore: metricVerb('playbacksuccessscore', 'Score of errors and exits, 0 to 100'),
    startuptimescore: metricVerb('startuptimescore', 'Score of the startup time, 0 to 100'),
    smoothnessscore: metricVerb('smoothnessscore', 'Score of the interruptions, 0 to 100'),
    videoqualityscore: metricVerb('videoqualityscore', 'Score of the size of the picture, 0 to 100'),
    bytes: metricVerb('bytes', 'Bytes that the api processes sent'),
    breakdown: breakdownVerb(),
    now: operationCommand('getRealtimeAnalytics'),
    sessions: sessionsVerb([
      'Id',
      'FileId',
      'StartedAt',
      'WatchSeconds',
      'StartupMs',
      'Rebuffers',
      'ErrorCode',
      'Country',
      'Device',
      'Site',
    ]),
    file: operationCommand('getFileAnalytics'),
    retention: operationCommand('getFileRetention'),
    heatmap: operationCommand('getFileHeatmap'),
    hotspots: operationCommand('getFileHotspots'),
  },
}
