import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf, type Message } from '@zoetrope/vocabulary'
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts'
import { newMessage } from '../../../../platform/base/message.ts'
import type { GuardedAgent } from '../../../../platform/outbound/guarded-agent.ts'
import { SourceError } from '../sources/source-error.ts'
import { HlsFiles } from './hls-files.ts'
import { readMediaPlaylist, writeMediaPlaylist, type Resource, type Segment } from './read-media-playlist.ts'
import { rewritePlaylist } from './rewrite-playlist.ts'

export interface HlsMirror {
  /** Holds nothing but this mirror. */
  readonly folder: string
  readonly playlistPath: string
  /** Whether the playlist has ended because the source began again, not because the source ended it. */
  readonly isRestarted: () => boolean
  readonly close: () => Promise<void>
}

/** RFC 8216, 6.3.3: players begin three segments before the end of a live playlist. */
const firstSegments = 3
/** The reader takes the media in real time, so more would only wait on disk. */
const aheadSeconds = 20
/** Longer than the reader is behind the newest segment. */
const keptSeconds = 60
const fewestKept = 6
/** Segments that claim no length would come without end. */
const leastSeconds = 0.1
const reloadSeconds = { least: 0.5, most: 10 }
const retryMs = 1_000
/** One cache of a CDN that lags answers with an old playlist now and then, not this often in a row. */
const restartedAfter = 5
/** Limit of the time to the first segments. */
const openMs = 30_000

/**
 * Copies the best variant of a source to a local folder, segment by segment, for an ffmpeg without network. Resolves when the
 * first segments are there. Rejects with SourceError or OutboundError.
 */
export const openHlsMirror = async (
  source: string,
  options: { readonly agent: GuardedAgent; readonly workFolder: string; readonly signal: AbortSignal },
): Promise<HlsMirror> => {
  const folder = await mkdtemp(join(options.workFolder, 'hls-'))
  const over = new AbortController()
  const signal = AbortSignal.any([options.signal, over.signal])
  const files = new HlsFiles(options.agent, { folder, signal })
  const following: Promise<void>[] = []
  let isRestarted = false

  /** Readers see the earlier playlist or the new one, never half of it. */
  const publish = async (name: string, text: string): Promise<void> => {
    await writeFile(join(folder, `${name}.part`), text)
    await rename(join(folder, `${name}.part`), join(folder, name))
  }

  const take = async (segment: Segment): Promise<void> => {
    await Promise.all(partsOf(segment).map((part) => files.fetch(part)))
  }

  const follow = async (url: string, name: string, onReady: () => void): Promise<void> => {
    const beganAtMs = performance.now()
    let kept: Segment[] = []
    // Segments before the last gap, which the reader may still read.
    let gone: Segment[] = []
    let nextSequence: number | null = null
    let olderInARow = 0
    let takenSeconds = 0
    let isReady = false
    const untilWanted = async (): Promise<void> => {
      const early = takenSeconds - aheadSeconds - (performance.now() - beganAtMs) / 1_000
      if (early > 0) await delay(Math.min(early, 3_600) * 1_000, null, { signal })
    }
    for (;;) {
      const loaded = await files.loadPlaylist(url).catch((error: unknown) => {
        if (!isReady || signal.aborted) throw error
        return null
      })
      if (loaded === null) {
        await delay(retryMs, null, { signal })
        continue
      }
      const playlist = readMediaPlaylist(rewritePlaylist(loaded.text, loaded.url, (local) => local))
      const { segments } = playlist
      const last = segments.at(-1)
      nextSequence ??=
        (playlist.isEnded ? segments[0] : (segments.at(-firstSegments) ?? segments[0]))?.sequence ?? null
      const fresh = segments.filter(({ sequence }) => nextSequence !== null && sequence >= nextSequence)
      // From an encoder that has started again and counts from the beginning, or from a cache that lags.
      const isOlder = last !== undefined && last.sequence < (nextSequence ?? 0) - 1 - segments.length
      olderInARow = isOlder ? olderInARow + 1 : 0
      const hasBegunAgain = olderInARow >= restartedAfter
      if (hasBegunAgain) isRestarted = true
      const isEnded = isOlder ? hasBegunAgain : playlist.isEnded
      const show = (hasEnded: boolean): Promise<void> =>
        publish(
          name,
          writeMediaPlaylist(playlist, kept, { isEnded: hasEnded, nameOf: (part) => files.nameOf(part) }),
        )

      for (const [index, segment] of fresh.entries()) {
        await untilWanted()
        await take(segment).catch((error: unknown) => {
          // The reader skips a segment that is missing.
          if (!isReady || signal.aborted) throw error
        })
        // Numbers in a playlist have no gaps.
        if (kept.length > 0 && kept.at(-1)!.sequence + 1 !== segment.sequence) {
          const former = gone
          gone = kept
          kept = []
          await files.remove(former.flatMap(partsOf), [...gone, segment].flatMap(partsOf))
        }
        kept.push(segment)
        takenSeconds += Math.max(leastSeconds, segment.seconds)
        nextSequence = segment.sequence + 1
        const isBatch = index + 1 >= Math.min(firstSegments, fresh.length)
        if (!isReady && !isBatch) continue
        const dropped = dropOld(kept)
        await show(isEnded && segment === fresh.at(-1))
        if (dropped.length > 0)
          await files.remove(dropped.flatMap(partsOf), [...gone, ...kept].flatMap(partsOf))
        if (!isReady) onReady()
        isReady = true
      }
      if (isEnded) {
        await show(true)
        onReady()
        return
      }
      const seconds = fresh.length > 0 ? (last?.seconds ?? 0) : playlist.targetSeconds / 2
      await delay(Math.min(reloadSeconds.most, Math.max(reloadSeconds.least, seconds)) * 1_000, null, {
        signal,
      })
    }
  }

  const start = (url: string, name: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const followed = follow(url, name, resolve)
      following.push(followed.catch(() => {}))
      followed.catch(reject)
    })

  const close = async (): Promise<void> => {
    over.abort()
    await Promise.all(following)
    await rm(folder, { recursive: true, force: true })
  }

  const open = async (): Promise<void> => {
    const { url, text } = await files.loadPlaylist(source)
    const playlists = new Map<string, string>()
    const local = (address: string): string => {
      const name = playlists.get(address) ?? `playlist-${playlists.size}.m3u8`
      playlists.set(address, name)
      return name
    }
    if (/^#EXT-X-STREAM-INF:/m.test(text)) {
      await publish('index.m3u8', rewritePlaylist(text, url, local))
      await Promise.all([...playlists].map(([address, name]) => start(address, name)))
    } else await start(url, 'index.m3u8')
  }

  const late = delay(openMs, null, { signal, ref: false }).then(() => {
    throw new SourceError('failed', newMessage('live_source_late'))
  })
  late.catch(() => {})
  try {
    await Promise.race([open(), late])
    return { folder, playlistPath: join(folder, 'index.m3u8'), isRestarted: () => isRestarted, close }
  } catch (error) {
    await close()
    throw new SourceError('failed', failureOf(error))
  }
}

const partsOf = ({ resource, key, map }: Segment): Resource[] => [
  resource,
  ...(key === null ? [] : [key.resource]),
  ...(map === null ? [] : [map]),
]

/** Removes and returns the segments that every reader is past. */
const dropOld = (kept: Segment[]): Segment[] => {
  let newerSeconds = 0
  let first = kept.length
  while (first > 0 && (kept.length - first < fewestKept || newerSeconds < keptSeconds)) {
    first -= 1
    newerSeconds += Math.max(leastSeconds, kept[first]!.seconds)
  }
  return kept.splice(0, first)
}

const failureOf = (error: unknown): Message => {
  if (error instanceof OutboundError || error instanceof SourceError) return messageOf(error)
  const detail = error instanceof Error ? error.message : 'The source could not be loaded.'
  return newMessage('live_source_failed', { detail })
}
