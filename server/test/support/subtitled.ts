import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface SubtitleTrack {
  readonly text: string
  readonly extension: 'srt' | 'ass' | 'sup'
  readonly language?: string
  readonly title?: string
  readonly disposition?: string
}

/** Makes three seconds of H.264 and AAC with these subtitle tracks, whose times count from before the video. */
export const makeSubtitled = async (
  format: 'mkv' | 'mp4',
  tracks: readonly SubtitleTrack[],
  { startSeconds = 0 }: { readonly startSeconds?: number } = {},
): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-subtitled-'))
  try {
    const inputs: string[] = []
    for (const [index, { text, extension }] of tracks.entries()) {
      const path = join(folder, `${index}.${extension}`)
      await writeFile(path, extension === 'sup' ? Buffer.from(text, 'hex') : text)
      inputs.push('-i', path)
    }
    const output = join(folder, `film.${format}`)
    await run('ffmpeg', [
      ...['-nostdin', '-v', 'error', '-itsoffset', String(startSeconds)],
      ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=3'],
      ...['-itsoffset', String(startSeconds)],
      ...['-f', 'lavfi', '-i', 'sine=frequency=440:duration=3', ...inputs],
      ...['-map', '0', '-map', '1', ...tracks.flatMap((_track, index) => ['-map', `${index + 2}:s`])],
      ...['-c:v', 'libx264', '-preset', 'superfast', '-pix_fmt', 'yuv420p', '-g', '50', '-c:a', 'aac'],
      // By default, ffmpeg repeats the first frame from 0 on.
      ...['-fps_mode', 'vfr'],
      ...['-c:s', format === 'mp4' ? 'mov_text' : 'copy'],
      ...tracks.flatMap(({ language, title, disposition }, index) => [
        ...(language === undefined ? [] : [`-metadata:s:s:${index}`, `language=${language}`]),
        ...(title === undefined ? [] : [`-metadata:s:s:${index}`, `title=${title}`]),
        ...[`-disposition:s:${index}`, disposition ?? '0'],
      ]),
      output,
    ])
    return await readFile(output)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
