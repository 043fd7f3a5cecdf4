import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { planSubtitles, runFfmpeg, textTrackArguments, type Probe } from '@zoetrope/ffmpeg'
import { languageName } from '../../../library/captions/caption-language.ts'
import { cleanSourceText } from '../../../library/captions/text/clean-source-text.ts'
import { replaceSourceCaptions } from '../../../library/captions/source-captions.ts'
import { blobPrefixOf } from '../../../library/files/record/media-file-store.ts'
import { deleteGarbageEntry, addGarbageEntry } from '../../../library/files/media/garbage-entries.ts'
import type { NewCaption } from '../../../platform/db/tables/captions.ts'
import type { FileWarning } from '../../../platform/db/tables/files.ts'
import { convertClosedCaptions, languageOfClosed } from './convert-closed-captions.ts'
import type { EncodingDependencies } from '../encode/encode-renditions.ts'
import { addStorage, lockWantedInProject } from '../encode/file-progress.ts'
import type { FileJobRun } from '../encode/file-job-run.ts'
import type { ClosedCaptions } from './scan-closed-captions.ts'
import { isFaultOfMedia } from '../encode/faults.ts'
import { captionsNotConverted, convertedInVain, warningsOf } from './subtitle-warnings.ts'

/** The same limit as for an uploaded caption file. */
const maxTextBytes = 5 * 1024 * 1024
/** Only text is decoded, but containers such as Matroska are read to the end. */
const textLimits = { wallSeconds: 300, cpuSeconds: 120, outputFileBytes: 2 * maxTextBytes } as const

interface SourceText extends Pick<NewCaption, 'language' | 'kind'> {
  readonly title: string | null
  readonly text: string
}

interface Found {
  readonly texts: readonly SourceText[]
  readonly warnings: readonly FileWarning[]
}

/**
 * Converts the subtitles inside the source to captions, once per source, and lists those that cannot be
 * converted in the record. Captions of a replacement source wait in the pending revision.
 */
export const readSourceCaptions = async (
  dependencies: EncodingDependencies,
  run: FileJobRun,
  source: {
    readonly probe: Probe
    readonly inputPath: string
    readonly closedCaptions: ClosedCaptions | null
  },
): Promise<void> => {
  const { file } = run
  const isNew = file.rework !== null && file.rework.source !== null
  if (!isNew && file.captions_read_of === run.source?.blob) return
  const found = joinFound(await readTextTracks(run, source), await readClosedTexts(run, source))
  const isNothing = found.texts.length === 0 && found.warnings.length === 0
  // Most files have no subtitles and need no write.
  if (isNothing && (isNew || (file.captions_read_of === null && file.warnings.length === 0))) return
  await store(dependencies, run, found)
}

const nothing: Found = { texts: [], warnings: [] }

/** Text tracks name their language, so they take precedence over captions inside the video. */
const joinFound = (tracks: Found, closed: Found): Found => ({
  texts: [
    ...tracks.texts,
    ...closed.texts.filter(
      ({ language, kind }) =>
        !tracks.texts.some((track) => track.language === language && track.kind === kind),
    ),
  ],
  warnings: [...tracks.warnings, ...closed.warnings],
})

const readTextTracks = async (
  { workFolder, signal, warn }: FileJobRun,
  { probe, inputPath }: { readonly probe: Probe; readonly inputPath: string },
): Promise<Found> => {
  const { texts: tracks, unused } = planSubtitles(probe)
  const outputs = tracks.map((track) => ({
    ...track,
    path: join(workFolder, `text-${track.streamIndex}.vtt`),
  }))
  const texts: SourceText[] = []
  const warnings = warningsOf(unused)
  if (outputs.length > 0)
    try {
      const { done } = runFfmpeg(textTrackArguments(inputPath, probe, outputs, maxTextBytes), {
        outputPipes: 0,
        workFolder,
        signal,
        limits: textLimits,
      })
      await done
    } catch (error) {
      if (signal.aborted || !isFaultOfMedia(error)) throw error
      warn('subtitles not read', error)
      return { texts, warnings: [...warnings, ...tracks.map(convertedInVain)] }
    }
  for (const { path, ...track } of outputs) {
    const isWhole = (await stat(path)).size < maxTextBytes
    const text = isWhole ? cleanSourceText(await readFile(path, 'utf8')) : null
    if (text !== null) texts.push({ ...track, text })
    else if (!isWhole) warnings.push(convertedInVain(track))
  }
  return { texts, warnings }
}

const readClosedTexts = async (
  run: FileJobRun,
  { probe, closedCaptions }: { readonly probe: Probe; readonly closedCaptions: ClosedCaptions | null },
): Promise<Found> => {
  if (closedCaptions === null) return nothing
  const { pairs, hasOther } = closedCaptions
  const text = pairs.length === 0 ? null : await convertClosedCaptions(pairs, run)
  if (text !== null) return { texts: [{ ...languageOfClosed(probe), text }], warnings: [] }
  return pairs.length > 0 || hasOther ? { texts: [], warnings: [captionsNotConverted] } : nothing
}

const nameOf = (language: string, kind: NewCaption['kind']): string => {
  if (language !== 'und') return languageName(language)
  return kind === 'captions' ? 'Captions' : 'Subtitles'
}

const store = async (
  { database, blobs, publicUrl }: EncodingDependencies,
  { job, source }: FileJobRun,
  { texts, warnings }: Found,
): Promise<void> => {
  const written = texts.map(({ language, kind, title, text }) => {
    const publicId = randomUUID()
    return {
      caption: {
        language,
        kind,
        label: Array.from(title ?? nameOf(language, kind))
          .slice(0, 100)
          .join(''),
        publicId,
        blob: `${blobPrefixOf(job)}captions/${publicId}.vtt`,
        sizeBytes: Buffer.byteLength(text),
      },
      text,
    }
  })
  const captions = written.map(({ caption }) => caption)
  const entryId =
    captions.length === 0
      ? null
      : await addGarbageEntry(
          database,
          job,
          captions.map(({ blob }) => blob),
        )
  for (const { caption, text } of written)
    await blobs.put(caption.blob, Buffer.from(text), { contentType: 'text/vtt' })
  await database.transaction(async (tx) => {
    const file = await lockWantedInProject(tx, job)
    const { rework: pending } = file
    const isNew = pending !== null && pending.source !== null
    // Another run of this job has stored its captions; housekeeping deletes the blobs of this one.
    if (isNew ? pending.captions !== undefined : file.captions_read_of === source?.blob) return
    if (entryId !== null) await deleteGarbageEntry(tx, entryId)
    if (isNew) {
      const bytes = captions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      return addStorage(tx, publicUrl, job, bytes, {
        rework: JSON.stringify({ ...pending, captions, warnings }),
      })
    }
    const bytes = await replaceSourceCaptions(tx, file, captions)
    await addStorage(tx, publicUrl, job, bytes, {
      warnings: JSON.stringify(warnings),
      captions_read_of: source?.blob ?? null,
    })
  })
}
