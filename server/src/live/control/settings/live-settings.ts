import { Type, type Static } from 'typebox'
import { nullable } from '../../../platform/http/requests/schemas.ts'
import type { StreamInType } from '../../../platform/db/tables/live.ts'
import type { OutboundPolicy } from '../../../platform/outbound/outbound-policy.ts'
import { invalidField } from '../../../platform/base/problem.ts'
import { schemaValues } from '../../../platform/base/schema-values.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import { rungSchema } from '../../../library/projects/settings/encoder-settings.ts'
import { releaseStatusSchema } from '../../../library/projects/project-record.ts'
import type { LiveStreamChange, LiveStreamRow } from '../store/live-stream-store.ts'
import { checkStreamUri, isSameStreamUri } from './stream-uri.ts'

/** More rungs would cost CPU time without a visible difference. */
const maxRungs = 6
/** Four hours: the amount that a node can keep of many streams at once. */
const longestTimeshiftSeconds = 14_400
const longestReconnectSeconds = 600
const defaultReconnectSeconds = 60

const streamInTypes = ['rtmp', 'srt', 'whip', 'rtmp-pull', 'srt-pull', 'hls-pull'] as const

const pullSchemes: Partial<Record<StreamInType, readonly string[]>> = {
  'rtmp-pull': ['rtmp', 'rtmps'],
  'srt-pull': ['srt'],
  'hls-pull': ['https', 'http'],
}

/** The settings as the record shows them and PUT accepts them. */
export const liveSettingsFields = {
  Title: Type.String({
    maxLength: 255,
    examples: ['Spring show'],
    description: 'Title that the player shows.',
  }),
  BoardText: Type.String({
    maxLength: 500,
    examples: ['We begin at 18:00.'],
    description: 'Text that viewers see before a broadcast. Empty uses the default text.',
  }),
  EndedText: Type.String({
    maxLength: 500,
    examples: ['Thank you! The recording follows tomorrow.'],
    description: 'Text that viewers see after a broadcast. Empty uses the default text.',
  }),
  ReleaseStatus: {
    ...releaseStatusSchema,
    description: 'Release status. Viewers can only watch a `published` stream. Default `published`.',
  },
  StreamInType: Type.Unsafe<StreamInType>({
    type: 'string',
    enum: [...streamInTypes],
    description:
      'How the stream arrives: pushed by an encoder, or pulled from `StreamInURI`. Default `rtmp`.',
  }),
  StreamInURI: Type.String({
    maxLength: 2_048,
    examples: ['https://example.com/news/main.m3u8'],
    description:
      'URL to pull the stream from. Credentials in it are shown only with the permission live:keys.',
  }),
  UseLowLatency: Type.Boolean({
    description:
      'Whether to offer low-latency HLS, about one second behind the camera instead of six. Default true.',
  }),
  TimeshiftDuration: Type.Integer({
    minimum: 0,
    maximum: longestTimeshiftSeconds,
    description: 'How far viewers can seek back, in seconds. Default 0.',
  }),
  ReconnectWindow: Type.Integer({
    minimum: 0,
    maximum: longestReconnectSeconds,
    description: `Seconds within which a lost publisher can continue the same broadcast. Default ${defaultReconnectSeconds}.`,
  }),
  AutomaticTranscoding: Type.Boolean({
    description: 'Whether to encode smaller renditions of the stream. Default false.',
  }),
  Renditions: Type.Array(rungSchema, {
    maxItems: maxRungs,
    description: 'Renditions for `AutomaticTranscoding`. An empty list uses the default ladder.',
  }),
  AutoRecording: Type.Boolean({
    description: 'Whether to record each broadcast as a file of the project. Default false.',
  }),
  IsEnabled: Type.Boolean({
    description: 'Whether publishers are accepted. False also ends a running broadcast. Default true.',
  }),
}

const optional = <Schema extends Parameters<typeof nullable>[0]>(schema: Schema) =>
  Type.Optional(nullable(schema))

export const liveSettingsWriteSchema = Type.Object(
  {
    Title: optional(liveSettingsFields.Title),
    BoardText: optional(liveSettingsFields.BoardText),
    EndedText: optional(liveSettingsFields.EndedText),
    ReleaseStatus: optional(liveSettingsFields.ReleaseStatus),
    StreamInType: optional(liveSettingsFields.StreamInType),
    StreamInURI: optional(liveSettingsFields.StreamInURI),
    UseLowLatency: optional(liveSettingsFields.UseLowLatency),
    TimeshiftDuration: optional(liveSettingsFields.TimeshiftDuration),
    ReconnectWindow: optional(liveSettingsFields.ReconnectWindow),
    AutomaticTranscoding: optional(liveSettingsFields.AutomaticTranscoding),
    Renditions: optional(liveSettingsFields.Renditions),
    AutoRecording: optional(liveSettingsFields.AutoRecording),
    IsEnabled: optional(liveSettingsFields.IsEnabled),
  },
  {
    description: 'A partial update. Absent fields keep their values; null restores the default.',
    examples: [{ UseLowLatency: true, TimeshiftDuration: 3_600, AutoRecording: true }],
  },
)

export type LiveSettingsWrite = Static<typeof liveSettingsWriteSchema>

interface SettingsTools {
  readonly secrets: Secrets
  readonly policy: OutboundPolicy
}

export const sourceUriOf = (
  { sealed_source_uri }: Pick<LiveStreamRow, 'sealed_source_uri'>,
  secrets: Secrets,
): string | null => (sealed_source_uri === null ? null : secrets.liveNodes.open(sealed_source_uri).toString())

const sourceChange = (
  stream: LiveStreamRow,
  write: LiveSettingsWrite,
  { secrets, policy }: SettingsTools,
): LiveStreamChange => {
  const present = sourceUriOf(stream, secrets)
  const isKept =
    write.StreamInURI === undefined ||
    (write.StreamInURI !== null && isSameStreamUri(write.StreamInURI, present))
  const uri = isKept ? present : (write.StreamInURI ?? null)
  const kind = write.StreamInType === undefined ? stream.kind : (write.StreamInType ?? 'rtmp')
  const schemes = pullSchemes[kind]
  const isNew = !isKept || kind !== stream.kind
  if (schemes !== undefined && isNew) {
    if (uri === null) throw invalidField('StreamInURI', 'source_url_required', { type: kind })
    checkStreamUri(uri, 'StreamInURI', { schemes, policy })
  } else if (uri !== null && !isKept)
    checkStreamUri(uri, 'StreamInURI', { schemes: Object.values(pullSchemes).flat(), policy })
  return isKept ? {} : { sealed_source_uri: uri === null ? null : secrets.liveNodes.seal(Buffer.from(uri)) }
}

/** Absent = unchanged, null = the default. Throws 'invalid' with the field. */
export const toLiveStreamChange = async (
  stream: LiveStreamRow,
  sent: LiveSettingsWrite,
  tools: SettingsTools,
): Promise<LiveStreamChange> => {
  const { Clean } = await schemaValues()
  const write = Clean(liveSettingsWriteSchema, structuredClone(sent)) as LiveSettingsWrite
  if (write.StreamInType === 'whip') throw invalidField('StreamInType', 'whip_not_supported')
  return {
    ...sourceChange(stream, write, tools),
    ...(write.Title === undefined ? {} : { title: write.Title ?? '' }),
    ...(write.BoardText === undefined ? {} : { board_text: write.BoardText ?? '' }),
    ...(write.EndedText === undefined ? {} : { ended_text: write.EndedText ?? '' }),
    ...(write.ReleaseStatus === undefined ? {} : { release_status: write.ReleaseStatus ?? 'published' }),
    ...(write.StreamInType === undefined ? {} : { kind: write.StreamInType ?? 'rtmp' }),
    ...(write.UseLowLatency === undefined ? {} : { is_low_latency: write.UseLowLatency ?? true }),
    ...(write.TimeshiftDuration === undefined ? {} : { timeshift_seconds: write.TimeshiftDuration ?? 0 }),
    ...(write.ReconnectWindow === undefined
      ? {}
      : { reconnect_seconds: write.ReconnectWindow ?? defaultReconnectSeconds }),
    ...(write.AutomaticTranscoding === undefined
      ? {}
      : { is_transcoded: write.AutomaticTranscoding ?? false }),
    ...(write.Renditions === undefined ? {} : { renditions: JSON.stringify(write.Renditions ?? []) }),
    ...(write.AutoRecording === undefined ? {} : { is_auto_recorded: write.AutoRecording ?? false }),
    ...(write.IsEnabled === undefined ? {} : { is_enabled: write.IsEnabled ?? true }),
  }
}
