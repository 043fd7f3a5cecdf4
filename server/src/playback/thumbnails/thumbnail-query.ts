import type { ThumbnailBox } from '@zoetrope/ffmpeg'
import { Type, type Static } from 'typebox'
import { invalidField } from '../../platform/base/problem.ts'

/** Strings, so that this file can name the parameter of every error. */
export const thumbnailQuery = Type.Object({
  time: Type.Optional(Type.String()),
  width: Type.Optional(Type.String()),
  height: Type.Optional(Type.String()),
  fit: Type.Optional(Type.String()),
})

export const animationQuery = Type.Object({
  start: Type.Optional(Type.String()),
  end: Type.Optional(Type.String()),
  width: Type.Optional(Type.String()),
})

const leastPixels = 16
const mostPixels = 1_920
const defaultWidthPixels = 320
const mostAnimationPixels = 640
export const mostAnimationSeconds = 10
const defaultAnimationSeconds = 5

const parseSeconds = (field: string, text: string | undefined): number | null => {
  if (text === undefined) return null
  if (!/^\d{1,7}(?:\.\d{1,9})?$/.test(text)) throw invalidField(field, 'not_seconds')
  return Number(text)
}

/** Clamps sizes to the limits, so that a page that asks for 4000 pixels gets the largest picture. */
const parsePixels = (field: string, text: string | undefined, most: number): number | null => {
  if (text === undefined) return null
  if (!/^[1-9]\d{0,5}$/.test(text)) throw invalidField(field, 'not_pixels')
  return Math.min(most, Math.max(leastPixels, Number(text)))
}

export interface ThumbnailRequest {
  /** Null: the middle of the video. */
  readonly timeSeconds: number | null
  readonly box: ThumbnailBox
}

export const parseThumbnailQuery = (query: Static<typeof thumbnailQuery>): ThumbnailRequest => {
  const timeSeconds = parseSeconds('time', query.time)
  const widthPixels = parsePixels('width', query.width, mostPixels)
  const heightPixels = parsePixels('height', query.height, mostPixels)
  const { fit = 'contain' } = query
  if (fit !== 'contain' && fit !== 'cover') throw invalidField('fit', 'not_fit')
  if (fit === 'cover' && (widthPixels === null || heightPixels === null))
    throw invalidField('fit', 'cover_needs_size')
  const isUnsized = widthPixels === null && heightPixels === null
  return {
    timeSeconds,
    box: { widthPixels: isUnsized ? defaultWidthPixels : widthPixels, heightPixels, fit },
  }
}

export interface AnimationRequest {
  readonly startSeconds: number
  readonly endSeconds: number
  readonly widthPixels: number
}

export const parseAnimationQuery = (query: Static<typeof animationQuery>): AnimationRequest => {
  const startSeconds = parseSeconds('start', query.start) ?? 0
  const endSeconds = parseSeconds('end', query.end) ?? startSeconds + defaultAnimationSeconds
  if (endSeconds <= startSeconds) throw invalidField('end', 'not_later_than', { other: 'start' })
  if (endSeconds - startSeconds > mostAnimationSeconds)
    throw invalidField('end', 'too_long_after_start', { seconds: mostAnimationSeconds })
  const widthPixels = parsePixels('width', query.width, mostAnimationPixels) ?? defaultWidthPixels
  return { startSeconds, endSeconds, widthPixels }
}
