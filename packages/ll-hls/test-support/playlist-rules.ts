import { parseMediaPlaylist } from '@zoetrope/hls'
import { expect } from 'vitest'

type Playlist = ReturnType<typeof parseMediaPlaylist>

/** Checks every version of one rendition's playlist against the rules of RFC 8216bis. */
export class PlaylistRules {
  #last: Playlist | undefined
  readonly #meanings = new Map<string, string>()
  readonly texts = new Set<string>()

  get last(): Playlist {
    return this.#last!
  }

  check(text: string | undefined): void {
    if (text === undefined || this.texts.has(text)) return
    this.texts.add(text)
    const playlist = parseMediaPlaylist(text)
    checkDurations(playlist)
    this.#checkMeanings(playlist)
    if (this.#last) checkSuccession(this.#last, playlist)
    if (!playlist.hasEnded) checkHints(playlist)
    this.#last = playlist
  }

  /** RFC 8216bis 6.2.1: the meaning of a URI never changes. */
  #checkMeanings({ segments, openParts = [] }: Playlist): void {
    const known = (uri: string, meaning: unknown) => {
      const text = JSON.stringify(meaning)
      expect(this.#meanings.get(uri) ?? text, uri).toBe(text)
      this.#meanings.set(uri, text)
    }
    for (const { parts, initUri: _initUri, ...segment } of segments) {
      known(segment.uri, segment)
      for (const part of parts ?? []) known(part.uri, part)
    }
    for (const part of openParts) known(part.uri, part)
  }
}

const rounding = 2e-6

const checkDurations = (playlist: Playlist): void => {
  const { targetDurationSeconds, partTargetSeconds = 0, segments, openParts = [], serverControl } = playlist
  const checkParts = (parts: readonly { durationSeconds: number }[]) => {
    for (const { durationSeconds } of parts)
      expect(durationSeconds).toBeLessThanOrEqual(partTargetSeconds + rounding)
    for (const { durationSeconds } of parts.slice(0, -1))
      expect(durationSeconds).toBeGreaterThanOrEqual(0.85 * partTargetSeconds - rounding)
  }
  for (const { durationSeconds, parts } of segments) {
    expect(durationSeconds).toBeGreaterThan(0)
    expect(Math.round(durationSeconds)).toBeLessThanOrEqual(targetDurationSeconds)
    if (parts === undefined) continue
    checkParts(parts)
    const sum = parts.reduce((total, part) => total + part.durationSeconds, 0)
    expect(Math.abs(sum - durationSeconds)).toBeLessThan(rounding * (parts.length + 1))
  }
  checkParts(openParts)
  if (!serverControl) return
  expect(serverControl.canBlockReload).toBe(true)
  expect(serverControl.partHoldBackSeconds).toBeGreaterThanOrEqual(3 * partTargetSeconds - rounding)
  expect(serverControl.holdBackSeconds).toBe(3 * targetDurationSeconds)
  expect(serverControl.canSkipUntilSeconds).toBeGreaterThanOrEqual(6 * targetDurationSeconds)
}

const checkSuccession = (before: Playlist, after: Playlist): void => {
  expect(before.hasEnded).toBe(false)
  expect(after.targetDurationSeconds).toBe(before.targetDurationSeconds)
  if (!after.hasEnded) expect(after.partTargetSeconds).toBe(before.partTargetSeconds)
  const gone = after.mediaSequence - before.mediaSequence
  expect(gone).toBeGreaterThanOrEqual(0)
  // RFC 8216bis 6.2.2: the discontinuity sequence grows by the number of removed discontinuity tags.
  const goneBreaks = before.segments.slice(0, gone).filter(({ discontinuity }) => discontinuity).length
  const breaks = (before.discontinuitySequence ?? 0) + goneBreaks
  // Segments added and removed between two checks may have contained more discontinuities.
  if (gone <= before.segments.length) expect(after.discontinuitySequence ?? 0).toBe(breaks)
  else expect(after.discontinuitySequence ?? 0).toBeGreaterThanOrEqual(breaks)
  // Parts after a discontinuity announce it before their segment is complete, with the values of the complete
  // segment.
  const openBefore = after.segments[before.segments.length - gone]
  if ((before.openParts?.length ?? 0) > 0 && openBefore !== undefined && openBefore.discontinuity === true)
    expect(before.openSegment).toMatchObject({
      discontinuity: true,
      // Only the first listed segment uses the playlist's init segment, which may have been announced
      // differently.
      ...(openBefore.initUri !== undefined && { initUri: openBefore.initUri }),
      programDateTime: openBefore.programDateTime,
    })
  const stay = before.segments.slice(gone).map(({ uri }) => uri)
  expect(after.segments.slice(0, stay.length).map(({ uri }) => uri)).toEqual(stay)
  if (gone > 0) {
    const seconds = after.segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)
    expect(seconds).toBeGreaterThanOrEqual(3 * after.targetDurationSeconds)
  }
}

/** RFC 8216bis 4.4.5.3: the hint names the part that follows all listed parts. */
const checkHints = ({ mediaSequence, segments, openParts = [], preloadHintUri }: Playlist): void => {
  const name = `${mediaSequence + segments.length}(-[1-9]\\d*)?\\.${openParts.length}\\.m4s`
  expect(preloadHintUri).toMatch(new RegExp(`^${name}$`))
}
