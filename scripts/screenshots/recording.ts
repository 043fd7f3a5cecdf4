import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { encodeStill } from './photograph.ts'
import { story } from './pictures.ts'
import { runProgram } from './run-program.ts'

const framesPerSecond = 12

export interface Frame {
  readonly file: string
  readonly atSeconds: number
}

/** Saves what the page shows until `stop`. Chromium sends a frame for each change. */
export const recordPage = async (page: Page, folder: string): Promise<() => Promise<Frame[]>> => {
  await mkdir(folder, { recursive: true })
  const session: CDPSession = await page.context().newCDPSession(page)
  const frames: Frame[] = []
  const writes: Promise<void>[] = []
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const file = join(folder, `${String(frames.length).padStart(5, '0')}.jpg`)
    frames.push({ file, atSeconds: metadata.timestamp ?? Date.now() / 1_000 })
    writes.push(writeFile(file, Buffer.from(data, 'base64')))
    void session.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 92, everyNthFrame: 1 })
  return async () => {
    await session.send('Page.stopScreencast')
    await Promise.all(writes)
    return frames
  }
}

/** Writes the moving picture, and its last frame as the still one. */
export const encodeStory = async (frames: readonly Frame[], folder: string): Promise<void> => {
  const list = frames.map(({ file, atSeconds }, index) => {
    const next = frames[index + 1]?.atSeconds ?? atSeconds + 1
    return `file '${file}'\nduration ${Math.max(0.001, next - atSeconds).toFixed(3)}`
  })
  const listFile = join(folder, 'frames.txt')
  await writeFile(listFile, `${list.join('\n')}\nfile '${frames.at(-1)?.file}'\n`)
  await runProgram('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', listFile],
    ...['-vf', `fps=${framesPerSecond},format=yuv420p`, '-c:v', 'libwebp_anim', '-loop', '0'],
    ...['-quality', '72', '-compression_level', '6', join(folder, story.moving)],
  ])
  await encodeStill(frames.at(-1)?.file ?? '', join(folder, story.still))
}
