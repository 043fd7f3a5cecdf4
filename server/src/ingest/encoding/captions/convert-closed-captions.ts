import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { playedAudio, runFfmpeg, sccArguments, type Probe } from '@zoetrope/ffmpeg'
import { cleanSourceText } from '../../../library/captions/text/clean-source-text.ts'
import { isFaultOfMedia } from '../encode/faults.ts'
import type { TimedPair } from './scan-closed-captions.ts'

const convertLimits = { wallSeconds: 120, cpuSeconds: 60, outputFileBytes: 5 * 1024 * 1024 } as const

/** CTA-608 names no language, so captions get that of the audio. */
export const languageOfClosed = (probe: Probe) => ({
  language: playedAudio(probe)[0]?.language ?? 'und',
  kind: 'captions' as const,
  title: null,
})

/** Converts the CC1 captions to WebVTT. Returns null when they show no text. */
export const convertClosedCaptions = async (
  pairs: readonly TimedPair[],
  { workFolder, signal }: { readonly workFolder: string; readonly signal: AbortSignal },
): Promise<string | null> => {
  const inputPath = join(workFolder, 'closed-captions.scc')
  const outputPath = join(workFolder, 'closed-captions.vtt')
  await writeFile(inputPath, writeScc(firstChannel(pairs)))
  try {
    const options = { outputPipes: 0, workFolder, signal, limits: convertLimits }
    await runFfmpeg(sccArguments(inputPath, outputPath), options).done
    return cleanSourceText(await readFile(outputPath, 'utf8'))
  } catch (error) {
    if (signal.aborted || !isFaultOfMedia(error)) throw error
    return null
  }
}

/**
 * CTA-608-E section 8.2: bit 3 of a control code selects the channel, also for the text that follows. ffmpeg
 * would mix both.
 */
const firstChannel = (pairs: readonly TimedPair[]): TimedPair[] => {
  let isFirst = true
  return pairs.filter(({ pair }) => {
    const code = pair[0] & 0x7f
    if (code >= 0x10 && code <= 0x1f) isFirst = (code & 0x08) === 0
    return isFirst
  })
}

const padded = (value: number): string => String(value).padStart(2, '0')

/** ffmpeg counts a time code frame as 33 ms. */
const frameMs = 33

const timeCode = (seconds: number): string => {
  const whole = Math.floor(seconds)
  const frame = Math.floor(((seconds - whole) * 1_000) / frameMs)
  return `${padded(Math.floor(whole / 3_600))}:${padded(Math.floor(whole / 60) % 60)}:${padded(whole % 60)}:${padded(frame)}`
}

/** Writes the Scenarist text format for ffmpeg: one line per time, with its pairs as hexadecimal words. */
const writeScc = (pairs: readonly TimedPair[]): string => {
  const lines: { readonly time: string; readonly words: string[] }[] = []
  for (const { atSeconds, pair } of pairs) {
    const time = timeCode(Math.max(0, atSeconds))
    const word = Buffer.from(pair).toString('hex')
    if (lines.at(-1)?.time === time) lines.at(-1)?.words.push(word)
    else lines.push({ time, words: [word] })
  }
  return ['Scenarist_SCC V1.0', ...lines.map(({ time, words }) => `${time}\t${words.join(' ')}`), ''].join(
    '\n\n',
  )
}
