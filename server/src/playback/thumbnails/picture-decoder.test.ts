import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPictureDecoder } from './picture-decoder.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'picture-decoder-'))
})

afterEach(() => rm(folder, { recursive: true }))

/** Makes a picture with a program that writes these bytes as its output, and then runs the commands. */
const pictureOf = async (bytes: Buffer, commands: string): Promise<Buffer> => {
  const ffmpegPath = join(folder, 'ffmpeg')
  const picture = join(folder, 'picture')
  await writeFile(picture, bytes)
  await writeFile(ffmpegPath, `#!/bin/sh\ncat > /dev/null\ncat ${picture} >&3\nexec 3>&-\n${commands}\n`)
  await chmod(ffmpegPath, 0o755)
  const decoder = createPictureDecoder({ slots: 1, ffmpegPath })
  return decoder.picture('one', {
    arguments: [],
    header: async () => Buffer.alloc(0),
    stream: async () => [Buffer.from('frame')],
    videoKey: null,
  })
}

const jpeg = Buffer.from('ffd8ffe000104a46494600010200000100010000ffd9', 'hex')
const webp = Buffer.from('RIFF\x0c\0\0\0WEBPVP8 \0\0\0\0', 'latin1')

test.each([
  ['JPEG', jpeg],
  ['WebP', webp],
])('a complete %s is returned before ffmpeg exits', async (_format, bytes) => {
  expect(await pictureOf(bytes, 'sleep 1; exit 1')).toEqual(bytes)
})

test.each([
  ['JPEG', jpeg.subarray(0, -2)],
  ['WebP', webp.subarray(0, -4)],
  ['empty picture', Buffer.alloc(0)],
])('an incomplete %s of a run that fails is refused', async (_format, bytes) => {
  await expect(pictureOf(bytes, 'exit 1')).rejects.toMatchObject({ code: 'not_found' })
})
