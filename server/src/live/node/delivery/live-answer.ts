import type { LivePart, LivePlaylists } from '@zoetrope/ll-hls'
import { Problem } from '../../../platform/base/problem.ts'
import { nothing } from '../../../playback/access/find-playout.ts'
import { hlsType } from '../../../playback/responses/send-media.ts'
import type { LiveChannel } from '../channel/live-channel.ts'
import type { LiveResource } from '../../../playback/live/live-address.ts'
import type { PlaylistBodies, PlaylistBody } from './playlist-body.ts'
import type { ReloadQuery } from './reload-query.ts'
import { prepareMedia, type Prepared } from './send-live.ts'
import type { StoredRendition } from './stored-segments.ts'

/** Resources that only a broadcast has; the others are served without one, too. */
export type BroadcastResource = Exclude<LiveResource, { type: 'status' | 'poster' | 'time' | 'beacon' }>

export interface LiveQuestion extends ReloadQuery {
  readonly resource: BroadcastResource
  /** Identical for identical requests. */
  readonly key: string
}

export type LiveAnswer =
  | { readonly type: 'text'; readonly body: PlaylistBody }
  /** Immutable under its name. */
  | { readonly type: 'media'; readonly whole: Prepared; readonly contentType: string }
  /** Immutable as well, but must be read from disk first. */
  | {
      readonly type: 'stored'
      readonly rendition: StoredRendition
      readonly number: number
      readonly contentType: string
    }
  /** Becomes available with one of the next changes. */
  | { readonly type: 'wait' }

type Track = Parameters<LivePlaylists['media']>[0]

const wait: LiveAnswer = { type: 'wait' }
const mediaTypes = { video: 'video/mp4', audio: 'audio/mp4' } as const

/**
 * Answers a request for a resource of a broadcast. Throws a Problem when the resource neither exists nor is
 * announced.
 */
export const answerQuestion = (
  { packager, playlists }: Pick<LiveChannel, 'packager' | 'playlists'>,
  bodies: PlaylistBodies,
  { resource, reload, isDelta }: LiveQuestion,
): LiveAnswer => {
  const text = (name: string, made: string | undefined, contentType = hlsType): LiveAnswer => {
    if (made === undefined) throw nothing()
    return { type: 'text', body: bodies(name, made, contentType) }
  }
  const { type } = resource
  if (type === 'manifest') return text('manifest', playlists.manifest(), 'application/dash+xml')
  if (type === 'multivariant') {
    const { isLowLatency } = resource
    return text(`multivariant ${isLowLatency}`, playlists.multivariant({ isLowLatency }))
  }
  // Track names come from viewers; an unknown track has no rendition.
  const track = resource.track as Track
  const rendition = packager.rendition(track)
  if (rendition === undefined) throw nothing()
  if (type === 'playlist') {
    const { isLowLatency } = resource
    if (reload !== null) {
      const state = playlists.answerReload(track, reload)
      if (state.type === 'wait') return wait
      if (state.type === 'refuse') throw new Problem('reload_too_far_ahead', { message: state.reason })
    }
    // A player whose playlist is old needs a whole one, although it asks for a delta update.
    const isShort = isDelta && (reload === null || playlists.skipsOnlyKnown(track, reload.number))
    const made = playlists.media(track, { isDelta: isShort, isLowLatency })
    return text(`${track} ${isLowLatency} ${isShort}`, made)
  }
  const contentType = mediaTypes[rendition.kind]
  if (type === 'init') {
    const format = rendition.formatOf(resource.version)
    if (format === undefined || rendition.epochOf(resource.version) !== resource.epoch) throw nothing()
    return mediaAnswer([format.initSegment], contentType)
  }
  const { number, epoch } = resource
  const { currentSegment, openParts } = rendition
  const isOpen = number === currentSegment.number
  const segment = rendition.segment(number)
  // Another owner of the broadcast has, or had, other media with this number.
  if ((isOpen ? currentSegment : segment)?.epoch !== epoch) throw nothing()
  if (type === 'segment') {
    if (segment === undefined || segment.isGap) throw nothing()
    const pieces = rendition.isInMemory(number) ? rendition.read(number) : undefined
    // A segment in memory is read synchronously.
    if (pieces === undefined || pieces instanceof Promise)
      return { type: 'stored', rendition, number, contentType }
    return mediaAnswer(pieces, contentType)
  }
  const part = rendition.part(number, resource.index)
  // RFC 8216bis 6.2.6: a request for the preload hint blocks. No playlist announces any other missing part.
  if (isOpen && resource.index === openParts.length && !packager.hasEnded) return wait
  if (part === undefined || part.isGap) throw nothing()
  const known = partAnswers.get(part)
  if (known !== undefined) return known
  const pieces = rendition.readPart(number, resource.index)
  if (pieces === undefined) throw nothing()
  const answer = mediaAnswer(pieces, contentType)
  partAnswers.set(part, answer)
  return answer
}

/** Cached, because every viewer requests each part. */
const partAnswers = new WeakMap<LivePart, LiveAnswer>()

const mediaAnswer = (pieces: readonly Buffer[], contentType: string): LiveAnswer => ({
  type: 'media',
  whole: prepareMedia(pieces, contentType),
  contentType,
})
