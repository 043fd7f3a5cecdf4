import { Type, type Static } from 'typebox'
import { nullable } from '../../../platform/http/requests/schemas.ts'
import type { ChunkedPlan } from '../chunks/chunk-store.ts'
import type { ChunkTask } from '../chunks/run-chunk.ts'
import { schemaValues } from '../../../platform/base/schema-values.ts'

/** Names of ffmpeg: they become parts of arguments and filters. */
const word = Type.String({ pattern: '^[A-Za-z0-9_.-]{0,64}$' })
const pixels = Type.Integer({ minimum: 1, maximum: 32_768 })
const ratio = Type.Object({
  numerator: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  denominator: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
})
const rate = Type.Object({
  numerator: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  denominator: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
})
const streamIndex = Type.Integer({ minimum: 0, maximum: 10_000 })
const frame = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const seconds = Type.Number({ minimum: 0, maximum: 1_000_000_000 })

const videoSchema = Type.Object({
  index: streamIndex,
  startSeconds: Type.Number(),
  trackId: nullable(Type.Integer()),
  codec: word,
  profile: nullable(Type.String({ maxLength: 100 })),
  codecTag: Type.String({ maxLength: 100 }),
  pixelFormat: word,
  bitDepth: Type.Integer(),
  chroma: nullable(
    Type.Union([Type.Literal('4:0:0'), Type.Literal('4:2:0'), Type.Literal('4:2:2'), Type.Literal('4:4:4')]),
  ),
  widthPixels: pixels,
  heightPixels: pixels,
  displayWidthPixels: pixels,
  displayHeightPixels: pixels,
  rotationDegrees: Type.Number({ minimum: 0, maximum: 360 }),
  isFlipped: Type.Optional(Type.Literal(true)),
  sampleAspectRatio: ratio,
  frameRate: rate,
  isVariableFrameRate: Type.Boolean(),
  isSparse: Type.Boolean(),
  colorTransfer: nullable(word),
  colorMatrix: nullable(word),
  isHdr: Type.Boolean(),
  isInterlaced: Type.Boolean(),
  hasBFrames: Type.Boolean(),
  bitsPerSecond: nullable(Type.Number()),
})

const rungSchema = Type.Object({
  name: word,
  codec: Type.Union([Type.Literal('h264'), Type.Literal('hevc'), Type.Literal('av1')]),
  widthPixels: pixels,
  heightPixels: pixels,
  maxBitsPerSecond: Type.Number({ minimum: 1, maximum: 1_000_000_000 }),
  crf: Type.Number({ minimum: 0, maximum: 63 }),
  preset: word,
  keyFrameSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: 60 })),
  adaptiveQuantization: Type.Optional(Type.Literal('auto-variance')),
})

const watermarkSchema = Type.Object({
  picture: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', maxLength: 16 * 1024 * 1024 }),
  position: Type.Union([
    Type.Literal('top-left'),
    Type.Literal('top-right'),
    Type.Literal('bottom-left'),
    Type.Literal('bottom-right'),
  ]),
  opacityRatio: Type.Number({ minimum: 0, maximum: 1 }),
  widthRatio: Type.Number({ minimum: 0, maximum: 1 }),
})

const none = Type.Array(Type.Never(), { maxItems: 0 })

const taskSchema = Type.Object({
  chunk: Type.Object({ startFrame: frame, endFrame: nullable(frame), startSegment: frame }),
  probe: Type.Object({
    formatNames: Type.Array(word, { maxItems: 20 }),
    startSeconds: Type.Number(),
    durationSeconds: nullable(seconds),
    sizeBytes: Type.Integer({ minimum: 0 }),
    bitsPerSecond: nullable(Type.Number()),
    video: videoSchema,
    audio: none,
    subtitles: none,
  }),
  plan: Type.Object({
    firstRung: Type.Null(),
    ladder: none,
    moreCodecs: none,
    audio: none,
    watermark: nullable(watermarkSchema),
    frameRate: rate,
    cutFrames: Type.Optional(Type.Array(frame, { maxItems: 1_000_000 })),
    originSeconds: Type.Number({ minimum: 0, maximum: 1_000_000_000 }),
    durationSeconds: nullable(seconds),
  }),
  rungs: Type.Array(rungSchema, { minItems: 1, maxItems: 20 }),
})

const claimSchema = Type.Object({ Claim: Type.String({ pattern: '^[0-9a-f-]{36}$' }) })
const jobSchema = Type.Object({
  ...claimSchema.properties,
  LeaseSeconds: Type.Number({ minimum: 1, maximum: 3_600 }),
  Source: Type.Object({
    Etag: Type.String({ pattern: '^[A-Za-z0-9"_.-]{1,200}$' }),
    SizeBytes: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  }),
  /** SHA-256 of the init segment of each output: another encoder makes segments that do not fit. */
  InitHashes: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 }),
  Task: taskSchema,
})

export type RemoteJob = Static<typeof jobSchema>

/** What a worker needs of the plan: neither names nor tracks that it does not encode. */
export const taskFor = (plan: ChunkedPlan, number: number): ChunkTask | null => {
  const chunk = plan.chunks[number]
  if (chunk === undefined || plan.probe.video === null) return null
  return {
    chunk,
    probe: { ...plan.probe, audio: [], subtitles: [] },
    plan: { ...plan.plan, firstRung: null, ladder: [], moreCodecs: [], audio: [] },
    rungs: plan.rungs,
  }
}

/** Parses a job; returns null when it is invalid. The worker checks it, because it becomes arguments of ffmpeg. */
export const readJob = async (body: unknown): Promise<RemoteJob | null> => {
  const { Check } = await schemaValues()
  return Check(jobSchema, body) ? body : null
}

/** Returns the claim of a job, which a worker of another version can read as well; null when it is invalid. */
export const readClaim = async (body: unknown): Promise<string | null> => {
  const { Check } = await schemaValues()
  return Check(claimSchema, body) ? body.Claim : null
}
