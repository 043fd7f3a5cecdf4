import { Type } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../../platform/http/requests/schemas.ts'
import { isCollectingSchema } from './analytics-dependencies.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const orNull = (description: string) => nullable(Type.Number({ minimum: 0 }), description)

const score = (description: string) => nullable(Type.Number({ minimum: 0, maximum: 100 }), description)

const ofFile = {
  FileId: described(idSchema, 'Identifier of the file.'),
  From: described(timestampSchema, 'Effective start.'),
  To: described(timestampSchema, 'Effective end, exclusive.'),
}
const fileExample = {
  FileId: 5,
  From: '2026-03-01T00:00:00.000+00:00',
  To: '2026-03-31T00:00:00.000+00:00',
}

export const fileAnalyticsSchema = Type.Object(
  {
    ...ofFile,
    IsCollecting: isCollectingSchema,
    Views: count('Sessions that played for at least two seconds.'),
    UniqueViewers: count('Viewers with at least one view, counted once a day.'),
    WatchSeconds: Type.Number({ minimum: 0, description: 'Time during which players were playing.' }),
    AverageViewSeconds: orNull('Watch time divided by views. Null without views.'),
    StartupMs: orNull('Mean time from the request to play until the first frame. Null if none was measured.'),
    CompleteViews: count('Views that played at least 90 % of the length.'),
    StartupP50Ms: orNull('Median startup time, accurate to a tenth. Null if none was measured.'),
    StartupP95Ms: orNull(
      '95th percentile of the startup time, accurate to a tenth. Null if none was measured.',
    ),
    Rebuffers: count('Number of interruptions to load media, without those after a seek.'),
    RebufferRatio: orNull(
      'Share of rebuffering in the time of playing and rebuffering. Null if nothing played.',
    ),
    BitRate: orNull(
      'Mean bit rate of the renditions in bits per second, weighted by playing time. Null if no player reported it.',
    ),
    UpscaledRatio: orNull(
      'Share of the playing time in which the picture was larger than the rendition. Null if no player reported its size.',
    ),
    Failures: count('Sessions that ended with an error before the first frame.'),
    Errors: count('Sessions that ended with an error after the first frame.'),
    Exits: count('Sessions that the viewer left before the first frame.'),
    Bytes: count('Bytes that the api processes sent to answer requests for media.'),
    BotViews: count('Views by programs, which no other figure includes.'),
    PreviewViews: count('Views through preview links, which no other figure includes.'),
    Scores: Type.Object(
      {
        ViewerExperience: score('Weighted mean of the other scores.'),
        PlaybackSuccess: score(
          'Score of the share of sessions with errors, or with exits before the first frame.',
        ),
        StartupTime: score('Score of the mean startup time.'),
        Smoothness: score('Score of the share and the number of interruptions.'),
        VideoQuality: score('Score of how much larger the picture was than the rendition.'),
      },
      { description: 'Scores from 0 to 100. Null where nothing was measured.' },
    ),
  },
  {
    description: 'Audience and quality of a file.',
    examples: [
      {
        ...fileExample,
        IsCollecting: true,
        ...{ Views: 412, UniqueViewers: 300, WatchSeconds: 18_200.5, AverageViewSeconds: 44.2 },
        ...{ CompleteViews: 210, StartupP50Ms: 430, StartupP95Ms: 1_218 },
        ...{ BitRate: 3_412_000, UpscaledRatio: 0.02 },
        ...{ StartupMs: 480.5, Rebuffers: 12, RebufferRatio: 0.004, Failures: 1, Errors: 0, Exits: 4 },
        ...{ Bytes: 7_214_002_113, BotViews: 3, PreviewViews: 5 },
        Scores: {
          ...{ ViewerExperience: 98.2, PlaybackSuccess: 99.3, StartupTime: 100 },
          ...{ Smoothness: 97.6, VideoQuality: 92 },
        },
      },
    ],
  },
)

const start = Type.Number({ minimum: 0, description: 'Start of the part, in seconds.' })
const end = Type.Number({ minimum: 0, description: 'End of the part, in seconds.' })

export const retentionSchema = Type.Object(
  {
    ...ofFile,
    Views: count('Number of views, which is 100 %.'),
    Parts: Type.Array(
      Type.Object({
        Start: start,
        End: end,
        Viewers: count('Views that played the middle of the part.'),
        Share: orNull('Share of all views. Null without views.'),
      }),
      { description: 'One hundred parts of equal length.' },
    ),
  },
  {
    description: 'The share of views that played each part of a file.',
    examples: [{ ...fileExample, Views: 412, Parts: [{ Start: 0, End: 1.2, Viewers: 400, Share: 0.97 }] }],
  },
)

const partSchema = Type.Object({
  Start: start,
  End: end,
  Plays: Type.Number({
    minimum: 0,
    description: 'How often the part was played, repeats included; half a part counts 0.5.',
  }),
})

export const heatmapSchema = Type.Object(
  { ...ofFile, Parts: Type.Array(partSchema, { description: 'One hundred parts of equal length.' }) },
  {
    description: 'How often each part of a file was played.',
    examples: [{ ...fileExample, Parts: [{ Start: 0, End: 1.2, Plays: 410.5 }] }],
  },
)

export const hotspotsSchema = Type.Object(
  {
    ...ofFile,
    Hotspots: Type.Array(partSchema, {
      description:
        'At most five parts that are played at least 1.2 times as often as the mean, the most played first.',
    }),
  },
  {
    description: 'The most played parts of a file.',
    examples: [{ ...fileExample, Hotspots: [{ Start: 34.8, End: 38.4, Plays: 702.25 }] }],
  },
)
