import { Type } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../../platform/http/requests/schemas.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import type { Measured } from './measured.ts'
import type { UsageDay } from './usage-days.ts'
import type { UsageFigures } from './usage-figures.ts'

const bytes = (description: string) => Type.Integer({ minimum: 0, description })

const figureFields = {
  FileCount: Type.Integer({ minimum: 0, description: 'Number of files.' }),
  PlayableSeconds: Type.Number({
    minimum: 0,
    description: 'Duration in seconds of all files that can be played.',
  }),
  StorageBytes: bytes('Storage in bytes: the sum of the four kinds.'),
  SourceBytes: bytes('Storage of the uploaded sources in bytes.'),
  RenditionBytes: bytes('Storage of renditions in bytes.'),
  PictureBytes: bytes('Storage of posters, thumbnails and storyboards in bytes.'),
  CaptionBytes: bytes('Storage of subtitles and captions in bytes.'),
  EvictableBytes: bytes(
    'Part of RenditionBytes: renditions that are encoded on demand. Zoetrope can drop them and encode them again.',
  ),
  PinnedBytes: bytes('Storage that stays until you delete it: StorageBytes without EvictableBytes.'),
  LiveBytes: bytes(
    'Storage of DVR windows and recordings in progress in bytes, if they are in the media storage. StorageBytes and quotas do not include it.',
  ),
}

const figuresExample = {
  FileCount: 412,
  PlayableSeconds: 98_211.4,
  StorageBytes: 1_204_882_113,
  SourceBytes: 702_113_400,
  RenditionBytes: 481_002_713,
  PictureBytes: 21_700_000,
  CaptionBytes: 66_000,
  EvictableBytes: 120_250_000,
  PinnedBytes: 1_084_632_113,
  LiveBytes: 0,
}

const dayField = Type.String({ format: 'date', description: 'Day in UTC, such as 2026-03-01.' })

export const usageSchema = Type.Object(
  {
    MeasuredAt: described(timestampSchema, 'Time of the measurement.'),
    ...figureFields,
    Days: Type.Array(Type.Object({ Day: dayField, ...figureFields }), {
      description:
        'Storage by day, measured shortly after midnight UTC. The last element is today. Days on which Zoetrope did not run are missing.',
    }),
  },
  {
    description: 'Storage use, now and by day.',
    examples: [
      {
        MeasuredAt: '2026-03-01T12:00:00.000+00:00',
        ...figuresExample,
        Days: [{ Day: '2026-03-01', ...figuresExample }],
      },
    ],
  },
)

export const projectUsageSchema = Type.Object(
  {
    ProjectId: described(idSchema, 'Identifier of the project.'),
    Name: Type.String({ description: 'Name of the project.' }),
    StorageQuotaBytes: nullable(
      Type.Integer({ minimum: 0 }),
      'Largest size of all files together in bytes. Null means no limit.',
    ),
    ...figureFields,
  },
  {
    description: 'Storage use of one project.',
    examples: [{ ProjectId: 3, Name: 'Spring campaign', StorageQuotaBytes: null, ...figuresExample }],
  },
)

/**
 * Bytes of no other kind count as renditions. The sum is clamped at 0, because a completing upload can count
 * twice for a moment.
 */
export const figuresRecord = (figures: UsageFigures) => ({
  FileCount: figures.file_count,
  PlayableSeconds: Math.round(figures.playable_seconds * 1_000) / 1_000,
  StorageBytes: figures.storage_bytes,
  SourceBytes: figures.source_bytes,
  RenditionBytes: Math.max(
    0,
    figures.storage_bytes - figures.source_bytes - figures.picture_bytes - figures.caption_bytes,
  ),
  PictureBytes: figures.picture_bytes,
  CaptionBytes: figures.caption_bytes,
  EvictableBytes: Math.min(figures.evictable_bytes, figures.storage_bytes),
  PinnedBytes: Math.max(0, figures.storage_bytes - figures.evictable_bytes),
  LiveBytes: figures.live_bytes,
})

export const usageRecord = (
  { measuredAt }: Pick<Measured<unknown>, 'measuredAt'>,
  now: UsageFigures,
  days: readonly UsageDay[],
) => ({
  MeasuredAt: toTimestamp(measuredAt),
  ...figuresRecord(now),
  Days: [
    ...days.map((each) => ({ Day: each.day, ...figuresRecord(each) })),
    { Day: measuredAt.toISOString().slice(0, 10), ...figuresRecord(now) },
  ],
})
