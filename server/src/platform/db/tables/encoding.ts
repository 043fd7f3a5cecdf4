import type { Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, JsonColumn } from './columns.ts'

/** First segment, the one after the last, and the folder below `media_blob`. */
export type ChunkFolder = readonly [firstIndex: number, endIndex: number, folder: string]

export interface RenditionsTable {
  id: GeneratedAlways<number>
  account_id: number
  file_id: number
  generation: Generated<number>
  kind: 'video' | 'audio'
  name: string
  /** Position among the renditions of its kind that viewers choose from; 0 is the default. */
  position: Generated<number>
  label: string | null
  /** `in_place`: passthrough. */
  delivery: 'in_place' | 'packaged'
  /** `growing`: in progress, and playable as far as it goes. `on_demand`: segments are encoded on request. */
  state: 'encoding' | 'growing' | 'complete' | 'on_demand'
  media_blob: string
  /** For passthrough: the track's own number in the blob; null = the first track of its kind. */
  track_id: number | null
  codec: Generated<string>
  width_pixels: number | null
  height_pixels: number | null
  frame_rate: number | null
  channels: number | null
  sample_rate_hz: number | null
  language: string | null
  timescale: number
  peak_bits_per_second: Generated<number>
  average_bits_per_second: Generated<number>
  size_bytes: Generated<number>
  segments: Generated<string>
  /** Segments that are in a folder of their own; null = none. */
  chunk_folders: JsonColumn<readonly ChunkFolder[] | null>
  /** CTA-608 or CTA-708 captions inside the source's video; null = not known. */
  has_closed_captions: boolean | null
  created_at: CreatedAt
}

interface ChunkedEncodesTable {
  account_id: number
  file_id: number
  generation: number
  plan: JsonColumn<Record<string, unknown>>
  rendition_ids: number[]
  created_at: CreatedAt
}

interface EncodeChunksTable {
  account_id: number
  file_id: number
  generation: number
  number: number
  state: Generated<'planned' | 'running' | 'done'>
  claim: string | null
  /** Number of claims so far. */
  attempt: Generated<number>
  done_seconds: Generated<number>
  pieces: JsonColumn<unknown[] | null>
  /** Remote worker that holds the claim; null = a local one. */
  worker_id: number | null
  /** End of the claim of a remote worker, unless it renews it. */
  leased_until: Date | null
  remote_failures: Generated<number>
  delivered: JsonColumn<Record<string, unknown> | null>
  /** When the remote worker delivered its newest segment, or got the chunk. */
  delivered_at: Date | null
}

interface OnDemandRenditionsTable {
  rendition_id: number
  account_id: number
  file_id: number
  plan: JsonColumn<Record<string, unknown>>
  chunk_count: number
  /** Whether the record and the byte counters include all chunks that are ready. */
  is_settled: Generated<boolean>
  /** When a viewer last requested a segment, the playlist or the download, to the hour. */
  watched_at: Date | null
  /** When a segment was last stored; null = none is. */
  made_at: Date | null
}

/** Successors of rungs whose segments were dropped, or whose decoder settings have changed. */
interface EvictedRenditionsTable {
  former_id: number
  rendition_id: number
  account_id: number
  file_id: number
  evicted_at: CreatedAt
  is_relisted: Generated<boolean>
}

/** A chunk without a row is absent. */
interface OnDemandChunksTable {
  rendition_id: number
  number: number
  account_id: number
  file_id: number
  state: Generated<'absent' | 'claimed' | 'ready'>
  /** Since when it is wanted, without a break of more than two seconds. */
  wanted_at: Generated<Date>
  /** Encoders begin the chunk until then. */
  wanted_until: Date
  /** No longer used. */
  is_awaited: Generated<boolean>
  /** A viewer waits for this chunk, rather than for one before it, until then; null = none has. */
  awaited_until: Date | null
  claim: string | null
  /** End of the claim, unless the encoder renews it. */
  leased_until: Date | null
  /** When an encoder last began it for viewers or a download. */
  claimed_at: Date | null
  /** While it is claimed: its encoder continues with the next chunk of the rung. */
  continues: Generated<boolean>
  /** Number of claims so far; each stores its segment in a folder of its own. */
  attempt: Generated<number>
  failures: Generated<number>
  /** Null until the chunk is ready. */
  segment: JsonColumn<Record<string, unknown> | null>
}

/** Seconds of media that were encoded on demand, one for each rung. */
interface OnDemandDaysTable {
  account_id: number
  project_id: number
  day: string
  encoded_seconds: number
}

interface RemoteWorkersTable {
  id: GeneratedAlways<number>
  name: string
  token_hash: Buffer
  created_at: CreatedAt
  revoked_at: Date | null
  last_seen_at: Date | null
  version: string | null
  ffmpeg: string | null
  cores: number | null
  /** Number of chunks that it encodes at a time. */
  slots: Generated<number>
  done_count: Generated<number>
  refused_in_a_row: Generated<number>
  /** It receives no chunks until an operator resumes it; null = not paused. */
  paused_because: string | null
}

export interface EncodingTables {
  renditions: RenditionsTable
  chunked_encodes: ChunkedEncodesTable
  encode_chunks: EncodeChunksTable
  on_demand_renditions: OnDemandRenditionsTable
  on_demand_chunks: OnDemandChunksTable
  on_demand_days: OnDemandDaysTable
  evicted_renditions: EvictedRenditionsTable
  remote_workers: RemoteWorkersTable
}
