import { issue } from '../../../platform/base/problem.ts'
import { CaptionError, type CaptionDocument } from './caption-cues.ts'
import { parseSubRip } from './parse-sub-rip.ts'
import { looksLikeWebVtt, parseWebVtt } from './parse-web-vtt.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Decodes UTF-8. Throws CaptionError for other encodings: a wrong guess would garble the text for viewers.
 */
export const decodeCaptions = (bytes: Buffer): string => {
  try {
    return decoder.decode(bytes)
  } catch {
    const good = bytes.toString('latin1').slice(0, firstBadByte(bytes))
    throw new CaptionError(issue('caption_not_utf8', { line: good.split(/\r\n?|\n/).length }))
  }
}

/** Returns the offset of the first invalid byte, found by binary search for the longest valid prefix. */
const firstBadByte = (bytes: Buffer): number => {
  let low = 0
  let high = bytes.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (isUtf8Prefix(bytes.subarray(0, middle))) low = middle
    else high = middle - 1
  }
  return low
}

/** Accepts a prefix that ends within a character. */
const isUtf8Prefix = (bytes: Buffer): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * Normalizes line ends and NUL (W3C WebVTT 4.1), and drops other control characters, which text never needs.
 */
const normalized = (text: string): string =>
  text
    .replace(/^\ufeff/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\u0000', '\ufffd')
    .replaceAll(/[^\n\t\P{Cc}]/gu, '')
    .toWellFormed()

/** Parses WebVTT or SubRip; the WebVTT signature decides which. Throws CaptionError. */
export const parseCaptions = (sent: string): CaptionDocument => {
  const text = normalized(sent)
  return withCues(looksLikeWebVtt(text) ? parseWebVtt(text) : parseSubRip(text))
}

/** Parses chapters, which only WebVTT supports. Throws CaptionError. */
export const parseChapters = (sent: string): CaptionDocument => {
  const text = normalized(sent)
  if (!looksLikeWebVtt(text)) throw new CaptionError(issue('chapters_not_web_vtt', { line: 1 }))
  return withCues(parseWebVtt(text))
}

const withCues = (document: CaptionDocument): CaptionDocument => {
  if (document.cues.length === 0) throw new CaptionError(issue('caption_has_no_cue', { line: 1 }))
  return document
}
