import { appendFile, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultPackaging, LivePackager, type LivePackagerOptions } from '@zoetrope/ll-hls'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import {
  announce,
  send,
  unitsOf,
  type PublisherShape,
} from '../../../../../../packages/ll-hls/test-support/publisher.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import { createDiskBlobStore } from '../../../../platform/blobs/disk-blob-store.ts'
import { createLog } from '../../../../platform/log/log.ts'
import { createDvr } from './create-dvr.ts'
import { DvrDisk, type DvrDiskOptions } from './dvr-disk.ts'
import type { Journal } from './journal.ts'
import { createMemoryJournal } from './test-support/memory-journal.ts'

const log = createLog({ level: 'silent' })
const second = 1_000
const startedAtMs = Date.UTC(2026, 2, 1, 12)
/** First segment number of a broadcast that begins at this time, and its block. */
const firstName = startedAtMs / second
const firstBlock = firstName / 64
let folder: string
let nowMs: number
let warnings: string[]
let journals: Map<number, Journal>
let blobs: BlobStore

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-dvr-'))
  nowMs = startedAtMs
  warnings = []
  journals = new Map()
  blobs = createDiskBlobStore({ folder: join(folder, 'media') })
})
afterEach(async () => rm(folder, { recursive: true, force: true }))

const createDisk = (options: Partial<DvrDiskOptions> = {}) =>
  new DvrDisk({
    folder,
    name: 'a disk',
    maxBytes: 1e9,
    leastFreeBytes: 0,
    now: () => nowMs,
    log,
    readFreeBytes: async () => 1e12,
    ...options,
  })

/** Two pictures a second, 4 kB each. */
const camera: PublisherShape = {
  seconds: 600,
  pictureMs: (index) => index * 500,
  isKey: (index) => index % 4 === 0,
  sampleRateHz: 48_000,
  pictureBytes: 4_000,
}

interface Broadcast {
  readonly disk?: DvrDisk
  readonly id?: number
  readonly epoch?: number
  /** 0: without timeshift, the window has 30 seconds. */
  readonly windowSeconds?: number
  readonly isInMedia?: boolean
  readonly onlineAtMs?: number | null
  readonly leftAtMs?: number | null
  readonly lostUntilMs?: number | null
  readonly packaging?: Partial<LivePackagerOptions>
}

const begin = async (broadcast: Broadcast = {}) => {
  const { disk = createDisk(), id = 1, epoch = 1, windowSeconds = 3_600, packaging } = broadcast
  const { onlineAtMs = null, leftAtMs = null, lostUntilMs = null, isInMedia = false } = broadcast
  const journal = journals.get(id) ?? createMemoryJournal()
  journals.set(id, journal)
  const dvr = await createDvr({
    disk,
    media: {
      blobs,
      prefix: `live/b${id}/${disk.name.replaceAll(' ', '-')}/`,
      isUsed: isInMedia,
      mayWrite: () => true,
    },
    journal,
    broadcastId: id,
    epoch,
    onlineAtMs,
    leftAtMs,
    lostUntilMs,
    isTimeshift: windowSeconds > 0,
    now: () => nowMs,
    onMediaBytes: () => {},
    onWarning: (code) => void warnings.push(code),
  })
  const packager = new LivePackager({
    ...defaultPackaging,
    windowSeconds: windowSeconds || defaultPackaging.windowSeconds,
    windowBytes: 1_000_000,
    now: () => nowMs,
    store: dvr.store,
    resume: dvr.restored,
    ...packaging,
  })
  const made = new Map<number, Buffer>()
  let sentSeconds = 0
  /** Waits for the disk after every ten seconds of media, as a disk keeps pace in real time. */
  const publish = async (seconds: number) => {
    announce(packager, camera)
    for (let end = sentSeconds + seconds; sentSeconds < end; sentSeconds += 10) {
      for (const item of unitsOf({ ...camera, seconds: 10, startMs: sentSeconds * second }))
        send(packager, item)
      nowMs += 10 * second
      await dvr.settled()
      const { segments } = packager.rendition('video')!
      for (const { number, parts } of segments.slice(-6))
        if (parts.length > 0) made.set(number, Buffer.concat(parts.map(({ data }) => data)))
    }
  }
  const read = async (number: number) => Buffer.concat(await packager.rendition('video')!.read(number)!)
  return { dvr, packager, made, publish, read }
}

const listed = (packager: LivePackager) => packager.rendition('video')!.segments

test('keeps the window on disk and little of it in memory, with every byte unchanged', async () => {
  const { packager, made, publish, read } = await begin({ windowSeconds: 900 })
  await publish(1_200)
  expect(packager.keptBytes).toBeLessThan(400_000)
  expect(listed(packager)).toHaveLength(450)
  const first = listed(packager)[0]!.number
  for (const number of [first, first + 200, first + 400, first + 449])
    expect((await read(number)).equals(made.get(number)!)).toBe(true)
  // Blocks before the window are removed.
  const oldest = Math.min(...(await readdir(join(folder, '1'))).map((name) => Number.parseInt(name)))
  expect(oldest).toBe(Math.floor((first - 4) / 64))
  expect(warnings).toEqual([])
})

test('restores the window after a kill -9, and continues after the lost segment numbers', async () => {
  const before = await begin()
  await before.publish(400)
  const number = before.packager.rendition('video')!.currentSegment.number
  // An incomplete last write.
  await appendFile(join(folder, '1', `${firstBlock + 3}-1.m4s`), Buffer.alloc(1_000))

  const after = await begin({ onlineAtMs: nowMs - 400 * second })
  expect(listed(after.packager).slice(0, 199)).toEqual(
    listed(before.packager).map((segment) => ({ ...segment, parts: [] })),
  )
  for (const known of [0, 100, 198].map((index) => firstName + index))
    expect((await after.read(known)).equals(before.made.get(known)!)).toBe(true)
  await after.publish(30)
  const segment = after.packager.rendition('video')!.segment(number + 2)!
  expect(segment).toMatchObject({ isDiscontinuity: true, initVersion: firstName + 3 })
  expect(segment.startedAtMs).toBeCloseTo(nowMs - 30 * second, 1)
  expect(listed(after.packager).filter(({ isGap }) => isGap)).toHaveLength(2)
  // Restores once more, with segments that were appended to the same files.
  const third = await begin({ onlineAtMs: nowMs - 400 * second })
  expect(third.packager.rendition('video')!.segment(number + 2)).toEqual({ ...segment, parts: [] })
  expect((await third.read(number + 2)).equals(after.made.get(number + 2)!)).toBe(true)
})

test('turns missing bytes into gaps, and continues after all numbers when the journal is missing', async () => {
  const before = await begin()
  await before.publish(60)
  await truncate(join(folder, '1', `${firstBlock}-1.m4s`), 200_000)
  const after = await begin({ onlineAtMs: nowMs })
  expect(listed(after.packager)[0]!.isGap).toBe(false)
  expect(listed(after.packager).at(-1)!.isGap).toBe(true)
  journals.clear()
  const anew = await begin({ onlineAtMs: nowMs - 60 * second })
  expect(anew.dvr.restored.firstNumber).toBeGreaterThan(firstName + 60)
})

test('another disk continues the playlist, and lists the segments that it does not have as gaps', async () => {
  const before = await begin()
  await before.publish(60)
  const elsewhere = await mkdtemp(join(tmpdir(), 'zoetrope-dvr-'))
  onTestFinished(async () => rm(elsewhere, { recursive: true }))
  const disk = createDisk({ folder: elsewhere, name: 'another disk' })
  const { packager, publish } = await begin({ disk, onlineAtMs: startedAtMs, leftAtMs: nowMs })
  const last = listed(before.packager).slice(-15)
  const gaps = last.map((segment) => ({ ...segment, isGap: true, parts: [], sizeBytes: 0 }))
  expect(listed(packager).slice(0, -2)).toMatchObject(gaps)
  await publish(10)
  // The first node continues: bytes of the other disk are not its own.
  const back = await begin({ onlineAtMs: startedAtMs, leftAtMs: nowMs })
  const number = before.packager.rendition('video')!.currentSegment.number + 2
  expect(back.packager.rendition('video')!.segment(number)).toMatchObject({ isGap: true })
  expect((await back.read(firstName)).equals(before.made.get(firstName)!)).toBe(true)
})

test('another disk has the whole window when it is in the media storage', async () => {
  const before = await begin({ isInMedia: true })
  await before.publish(60)
  expect((await readdir(folder)).toSorted()).toEqual(['media'])
  const disk = createDisk({ folder: join(folder, 'elsewhere'), name: 'another disk' })
  const after = await begin({ disk, isInMedia: true, onlineAtMs: startedAtMs, leftAtMs: nowMs })
  expect(listed(after.packager).slice(0, -2)).toMatchObject(
    listed(before.packager).map(({ number }) => ({ number, isGap: false })),
  )
  for (const number of [firstName, firstName + 20])
    expect((await after.read(number)).equals(before.made.get(number)!)).toBe(true)
  await after.publish(10)
  expect(warnings).toEqual([])
})

test('two owners at the same time do not mix their bytes in a shared folder', async () => {
  const former = await begin({ epoch: 1 })
  await former.publish(60)
  const next = await begin({ epoch: 2, onlineAtMs: startedAtMs, leftAtMs: nowMs })
  await Promise.all([former.publish(200), next.publish(200)])
  const own = listed(next.packager).filter(
    ({ epoch, isGap, parts }) => epoch === 2 && !isGap && parts.length === 0,
  )
  expect(own.length).toBeGreaterThan(50)
  for (const { number } of own) expect((await next.read(number)).equals(next.made.get(number)!)).toBe(true)
  expect((await next.read(firstName)).equals(former.made.get(firstName)!)).toBe(true)
})

test('deletes segments that have left the window from the media storage, after a failure the others', async () => {
  const failing = vi.spyOn(blobs, 'delete').mockRejectedValueOnce(new Error('not now'))
  onTestFinished(() => failing.mockRestore())
  const { packager, publish } = await begin({ isInMedia: true, windowSeconds: 120 })
  await publish(600)
  const first = listed(packager)[0]!.number
  const numbers = async () => {
    const keys = await blobs.list('live/b1/')
    return keys.map((key) => Number(/-(\d+)\.m4s$/.exec(key)?.[1])).toSorted((a, b) => a - b)
  }
  const oldest = async () => (await numbers()).find((number) => number > firstName)
  await expect.poll(oldest).toBe(64 * Math.floor((first - 4) / 64))
})

test('each broadcast has its own segment and init names', async () => {
  const elder = await begin({ id: 1 })
  await elder.publish(60)
  const { currentSegment } = elder.packager.rendition('video')!
  const younger = await begin({ id: 2 })
  await younger.publish(10)
  const [segment] = listed(younger.packager)
  expect(segment!.number).toBeGreaterThan(currentSegment.number)
  expect(segment!.initVersion).toBeGreaterThan(currentSegment.initVersion)
  expect(segment).toMatchObject({ isDiscontinuity: false, discontinuitySequence: 0, startSeconds: 1 })
})

test('does not reuse numbers that only the journal records', async () => {
  let freeBytes = 1e9
  const disk = createDisk({ leastFreeBytes: 1e8, readFreeBytes: async () => freeBytes })
  const before = await begin({ disk })
  await before.publish(20)
  freeBytes = 0
  await before.publish(100)
  const { number } = before.packager.rendition('video')!.currentSegment
  const after = await begin({ onlineAtMs: startedAtMs, leftAtMs: nowMs })
  expect(after.dvr.restored.firstNumber).toBe(number + 2)
})

test.each([
  [20, 'a journal that is a little behind is gone on with, as many numbers later'],
  [600, 'a journal that had stopped long before is left, and its window with it'],
])('%i s: %s', async (silentSeconds) => {
  const before = await begin()
  await before.publish(60)
  const { number } = before.packager.rendition('video')!.currentSegment
  // Segments without a journal line.
  nowMs += silentSeconds * second
  const { dvr, packager } = await begin({ onlineAtMs: startedAtMs, leftAtMs: nowMs })
  expect(dvr.restored.firstNumber).toBeGreaterThanOrEqual(number + silentSeconds / 2)
  expect(dvr.restored.targets).toEqual(before.packager.targets)
  expect(packager.rendition('video') === undefined).toBe(silentSeconds === 600)
  expect((await journals.get(1)!.read()).length === 0).toBe(silentSeconds === 600)
})

test('a node that was lost together with the database may have used more numbers, which no other node uses', async () => {
  const before = await begin()
  await before.publish(60)
  const lastWords = nowMs
  // Viewers may know these segments, but the journal does not.
  const journaled = await journals.get(1)!.read()
  await before.publish(20)
  const { number } = before.packager.rendition('video')!.currentSegment
  const kept = { ...createMemoryJournal(), read: async () => journaled }
  journals.set(1, kept)
  const broadcast = { onlineAtMs: startedAtMs, leftAtMs: lastWords, lostUntilMs: nowMs }
  const { dvr, packager } = await begin(broadcast)
  expect(dvr.restored.firstNumber).toBeGreaterThan(number)
  const segments = listed(packager)
  expect(segments.some(({ isGap }) => !isGap)).toBe(true)
  // The timeline follows the clock, although there are more numbers than segments.
  const last = segments.at(-1)!
  const endMs = last.startedAtMs + last.durationSeconds * second
  expect(Math.abs(endMs - nowMs)).toBeLessThan(4 * second)
})

test('the journal knows segments whose bytes still wait for a slow store', async () => {
  vi.spyOn(blobs, 'put').mockReturnValue(new Promise(() => {}))
  const before = await begin({ isInMedia: true })
  void before.publish(10)
  const { number } = before.packager.rendition('video')!.currentSegment
  // The publisher sent the ten seconds at once.
  const left = { onlineAtMs: startedAtMs, leftAtMs: startedAtMs + second }
  const after = await begin({ ...left, isInMedia: true })
  expect(after.dvr.restored.firstNumber).toBeGreaterThan(number)
})

test('serves nothing with newer numbers while the former journal cannot be dropped', async () => {
  const before = await begin()
  await before.publish(60)
  nowMs += 600 * second
  const dropAll = () => Promise.reject(new Error('no database'))
  journals.set(1, { ...journals.get(1)!, dropAll })
  await expect(begin({ onlineAtMs: startedAtMs, leftAtMs: nowMs })).rejects.toThrow('no database')
})

test('drops ended broadcasts before minutes of running ones', async () => {
  const disk = createDisk({ maxBytes: 4_000_000 })
  const ended = await begin({ disk, id: 1 })
  await ended.publish(100)
  await ended.dvr.stop('ended')
  const open = await begin({ disk, id: 2 })
  await open.publish(380)
  expect(await readdir(folder)).toEqual(['2'])
  expect(warnings).toEqual([])
  expect(disk.usedBytes()).toBeLessThan(4_000_000)
})

test('a long window makes room for a short one, even when its minutes are newer', async () => {
  const disk = createDisk({ maxBytes: 4_000_000 })
  const short = await begin({ disk, id: 1 })
  await short.publish(140)
  const long = await begin({ disk, id: 2 })
  await long.publish(600)
  await short.publish(10)
  expect(listed(short.packager)[0]!.number).toBe(firstName)
  expect(listed(long.packager)[0]!.number).toBeGreaterThan(firstName + 140)
})

test('without timeshift, keeps little of the window in memory, and continues it after a kill -9', async () => {
  const before = await begin({ windowSeconds: 0 })
  await before.publish(60)
  const shown = listed(before.packager)
  expect(shown.filter(({ parts }) => parts.length > 0).length).toBeLessThan(shown.length / 2)
  const after = await begin({ windowSeconds: 0, onlineAtMs: nowMs })
  // Players keep the playlist that they have. The numbers after it may have been used.
  const numbers = shown.map(({ number }) => number)
  const { number: next } = before.packager.rendition('video')!.currentSegment
  const continued = listed(after.packager)
  expect(continued.map(({ number }) => number)).toEqual([...numbers.slice(1), next, next + 1])
  expect(continued.map(({ isGap }) => isGap)).toEqual([...numbers.slice(1).map(() => false), true, true])
  for (const number of numbers.slice(1))
    expect((await after.read(number)).equals(before.made.get(number)!)).toBe(true)
  await after.publish(10)
  const { number, initVersion } = listed(after.packager).at(-1)!
  expect(number).toBeGreaterThan(next + 1)
  expect(initVersion).toBe(firstName + 3)
})

test('without timeshift, a window takes no room from those with it, and warns of nothing', async () => {
  const disk = createDisk({ maxBytes: 4_000_000 })
  const plain = await begin({ disk, id: 2, windowSeconds: 0 })
  await plain.publish(200)
  expect(disk.usedBytes()).toBe(0)
  const long = await begin({ disk, id: 1 })
  await long.publish(380)
  await plain.publish(60)
  expect(listed(long.packager)[0]!.number).toBe(firstName + 200)
  expect(listed(plain.packager).length).toBeGreaterThanOrEqual(15)
  const { number } = listed(plain.packager)[0]!
  expect((await plain.read(number)).length).toBeGreaterThan(16_000)
  expect(warnings).toEqual([])
})

test('without timeshift, a window that the disk refuses stays in memory without a warning', async () => {
  await writeFile(join(folder, '1'), 'a file where the folder should be')
  const { packager, publish, read } = await begin({ windowSeconds: 0 })
  await publish(120)
  expect(listed(packager).length).toBeGreaterThanOrEqual(15)
  expect((await read(listed(packager)[0]!.number)).length).toBeGreaterThan(16_000)
  expect(warnings).toEqual([])
})

test('drops the oldest minutes of the largest window at the limit, and playlists follow', async () => {
  // A segment has 16 kB: three blocks of 64 segments and a little more.
  const disk = createDisk({ maxBytes: 4_000_000 })
  const elder = await begin({ disk, id: 1 })
  await elder.publish(380)
  expect(warnings).toEqual([])
  const younger = await begin({ disk, id: 2 })
  await younger.publish(200)
  expect(new Set(warnings)).toEqual(new Set(['dvr_shortened']))
  expect(disk.usedBytes()).toBeLessThan(4_000_000)
  await elder.publish(10)
  expect(listed(elder.packager)[0]!.number % 64).toBe(0)
  expect(listed(elder.packager)[0]!.number).toBeGreaterThan(firstName)
  expect(listed(younger.packager)[0]!.number).toBe(firstName + 380)
  const { number } = listed(elder.packager)[0]!
  expect((await elder.read(number)).equals(elder.made.get(number)!)).toBe(true)
})

test('leaves the reserved disk space free, and keeps the window in memory as far as it fits', async () => {
  let freeBytes = 1e9
  const disk = createDisk({ leastFreeBytes: 1e8, readFreeBytes: async () => freeBytes })
  const { packager, publish, read, made } = await begin({ disk })
  await publish(60)
  freeBytes = 1e8
  await publish(300)
  expect(new Set(warnings)).toEqual(new Set(['dvr_unavailable']))
  expect(packager.keptBytes).toBeLessThan(1_100_000)
  expect(listed(packager).length).toBeGreaterThan(40)
  freeBytes = 1e9
  await publish(300)
  expect(listed(packager).length).toBeGreaterThan(140)
  const { number } = listed(packager)[70]!
  expect((await read(number)).equals(made.get(number)!)).toBe(true)
})

test('a clock that is set back does not stop the looks at the free disk space', async () => {
  let atMs = startedAtMs
  let freeBytes = 1_000
  const disk = createDisk({ now: () => atMs, readFreeBytes: async () => freeBytes })
  expect(await disk.takeFree(900)).toBe(true)
  expect(await disk.takeFree(900)).toBe(false)
  atMs -= 3_600_000
  freeBytes = 1e9
  expect(await disk.takeFree(900)).toBe(true)
})

test('a failing disk does not end the broadcast', async () => {
  await writeFile(join(folder, '1'), 'a file where the folder should be')
  const { packager, publish, dvr } = await begin()
  await publish(120)
  expect(new Set(warnings)).toEqual(new Set(['dvr_unavailable']))
  expect(listed(packager).length).toBeGreaterThan(40)
  await dvr.stop('ended')
})

test('reading a segment whose file is missing fails instead of hanging', async () => {
  const { publish, read } = await begin()
  await publish(60)
  await rm(join(folder, '1', `${firstBlock}-1.m4s`))
  await expect(read(firstName + 2)).rejects.toThrow('ENOENT')
  expect(warnings).toEqual(['dvr_unavailable'])
})

test('keeps an ended window for ten minutes and an abandoned one for an hour', async () => {
  const disk = createDisk()
  const ended = await begin({ disk, id: 1 })
  const killed = await begin({ disk: createDisk(), id: 2 })
  const open = await begin({ disk, id: 3 })
  for (const { publish } of [ended, killed, open]) await publish(10)
  await ended.dvr.stop('ended')
  expect((await ended.read(firstName + 2)).equals(ended.made.get(firstName + 2)!)).toBe(true)
  const setAge = async (minutes: number) => {
    nowMs = Date.now() + minutes * 60 * second
    await disk.sweep()
    return (await readdir(folder)).toSorted()
  }
  expect(await setAge(9)).toEqual(['1', '2', '3'])
  expect(await setAge(11)).toEqual(['2', '3'])
  expect(await setAge(61)).toEqual(['3'])
})
