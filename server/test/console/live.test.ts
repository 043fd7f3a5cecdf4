import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noFigures, withFigures } from '../../../console/src/live/figures.ts'
import { phoneSetup } from '../../../console/src/live/settings/phone-setup.ts'
import { findingsOf } from '../../../console/src/live/verdict.ts'
import { qrPath } from '../../../console/src/ui/embed/qr-path.ts'
import { startLiveWorld, type LiveWorld } from '../../src/live/node/test-support/live-world.ts'
import { waitFor } from '../support/wait-for.ts'
import { startConsole, type Console } from './console.ts'

let world: LiveWorld
let zoetropeConsole: Console

beforeAll(async () => {
  world = await startLiveWorld()
  zoetropeConsole = await startConsole(world.server)
})

afterAll(() => zoetropeConsole.stop())

const publish = (streamKey: string) => {
  const url = `rtmp://127.0.0.1:${world.rtmpPort}/live/${streamKey}`
  const picture = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=15']
  const sound = ['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000']
  const codecs = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-tune',
    'zerolatency',
    '-g',
    '15',
    '-c:a',
    'aac',
  ]
  const encoder = spawn(
    'ffmpeg',
    ['-v', 'error', '-nostdin', ...picture, ...sound, ...codecs, '-f', 'flv', url],
    {
      stdio: 'ignore',
    },
  )
  const leave = async (): Promise<void> => {
    if (encoder.exitCode !== null) return
    const exited = once(encoder, 'exit')
    encoder.kill('SIGKILL')
    await exited
  }
  /** The connection stays. */
  const pause = (): boolean => encoder.kill('SIGSTOP')
  return Object.assign(leave, { pause })
}

test('a stream shows its key, goes live, is recorded, clipped to a video and stopped', async () => {
  const stream = await world.newStream({ title: 'Town hall' })
  const path = `/projects/${stream.projectId}/live`
  const { page, expectSound, close } = await zoetropeConsole.visit(path, { role: 'SeniorEditor' })
  await page.locator('[data-state=offline]').waitFor()
  await page.getByText('No encoder connected').waitFor()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Live' }).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Town hall' }).waitFor()
  expect(await page.content()).not.toContain(stream.streamKey)
  await page.getByRole('button', { name: 'Show Stream key' }).click()
  expect(await page.getByLabel('Stream key', { exact: true }).inputValue()).toBe(stream.streamKey)
  await page.getByRole('button', { name: 'Hide Stream key' }).click()

  const leave = publish(stream.streamKey)
  await page.locator('[data-state=online]').waitFor()
  // It is too late for this broadcast.
  await world.server.call('PUT', `${path}/ingest`, { body: { AutoRecording: true } })
  await page.reload()
  await page.getByText('Starts with the next broadcast').waitFor()
  await world.server.call('PUT', `${path}/ingest`, { body: { AutoRecording: false } })
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await page.locator('[data-recording=recording]').getByText('REC', { exact: true }).waitFor()
  // The button was disabled during its request, and has the focus again.
  await page.locator(':focus', { hasText: 'Stop recording' }).waitFor()
  await page.getByText('Healthy').first().waitFor()
  await page.getByRole('img', { name: /^Bit rate and frame rate .* Current: \d/ }).waitFor()
  await expectSound()

  // The preview plays, but is not counted as a viewer.
  const preview = page.frameLocator('iframe').locator('video')
  await expect.poll(() => preview.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0)
  const { body: status } = await world.server.call('GET', `${path}/status`)
  expect(status).toMatchObject({ State: 'online', Viewers: 0 })
  await page.getByRole('tab', { name: 'Viewers' }).click()
  await page.getByText('No viewers right now').waitFor()
  const { body: output } = await world.server.call('GET', `${path}/output`)
  const headers = { 'content-type': 'application/cmcd', 'user-agent': 'Mozilla/5.0 Firefox/140.0' }
  const watch = (sn: number) =>
    fetch(`${new URL(output.HLS).href.replace(/\/[^/]*$/, '')}/cmcd`, {
      method: 'POST',
      headers,
      body: `e=ps,com.zoetrope-height=90,sid="tab",sn=${sn},sta=p,ts=${Date.now()},v=2`,
    })
  for (const sn of [1, 2]) expect((await watch(sn)).status).toBe(204)
  await page.getByRole('row', { name: '90p 1' }).waitFor()
  await expectSound()

  await page.getByRole('button', { name: 'Create clip' }).click()
  await page.getByLabel('Title').fill('The goal')
  await page.getByRole('button', { name: 'Save clip', exact: true }).click()
  // The notification leads to the video, and Back returns to the stream.
  await page.getByRole('link', { name: 'Clip saved: The goal' }).click()
  await page.getByRole('heading', { name: 'The goal', level: 1 }).waitFor()
  await page.goBack()

  await page.getByRole('button', { name: 'Stop recording' }).click()
  await page.getByRole('tab', { name: 'Recordings' }).click()
  await page.getByRole('link', { name: 'Town hall' }).waitFor()
  await page.getByRole('row', { name: /^The goal Clip Finished / }).waitFor()
  const { body } = await world.server.call('GET', `/projects/${stream.projectId}/files?sort=desc`)
  expect(body.Files).toMatchObject([
    { Source: { Kind: 'recording' } },
    { Source: { Kind: 'clip' }, Metadata: { Title: 'The goal' } },
  ])

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Stop broadcast' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop broadcast' }).click()
  await stream.until('live.ended')
  await leave()
  await page.locator('[data-state=offline]').waitFor()
  await page.getByRole('tab', { name: 'Log' }).click()
  await page.getByText('A user stopped the stream.').waitFor()
  await close()
})

test('settings are saved, API errors appear at their fields, and resetting the key asks first', async () => {
  const stream = await world.newStream()
  const ingest = async () =>
    (await world.server.call('GET', `/projects/${stream.projectId}/live/ingest`)).body
  await world.server.call('PUT', `/projects/${stream.projectId}/live/ingest`, {
    body: { ReleaseStatus: 'unpublished', IsEnabled: false },
  })
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit(
    `/projects/${stream.projectId}/live?part=settings`,
  )
  forgive(/40[04]/)
  for (const name of ['Enable', 'Publish']) {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' })
  }
  expect(await ingest()).toMatchObject({ ReleaseStatus: 'published', IsEnabled: true })
  await page.getByLabel('Title').fill('Evening show')
  await page.getByRole('switch', { name: 'Record every broadcast' }).click()
  await page.getByRole('switch', { name: 'Encode smaller renditions' }).click()
  await page.getByRole('button', { name: 'Add rendition' }).click()
  await page.keyboard.press('Control+s')
  await page.getByText(/^Saved\./).waitFor()
  expect(await ingest()).toMatchObject({
    Title: 'Evening show',
    AutoRecording: true,
    AutomaticTranscoding: true,
    Renditions: [{ Height: 720 }],
  })
  await page.getByRole('combobox', { name: 'Protocol' }).click()
  await page.getByRole('option', { name: 'HLS pull from an address' }).click()
  await page.getByLabel('Source address').fill('gopher://example.com/show')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('input[aria-invalid=true]:focus').waitFor()
  expect(await page.getByLabel('Source address').getAttribute('aria-invalid')).toBe('true')
  await expectSound()

  // The tab would discard what is typed.
  await page.getByRole('tab', { name: 'Encoder' }).click()
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByRole('button', { name: 'Reset key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset key' }).click()
  const after = await waitFor(
    ingest,
    ({ StreamInConnection }) => StreamInConnection.StreamName !== stream.streamKey,
  )
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Show Stream key' }).click()
  expect(await page.getByLabel('Stream key', { exact: true }).inputValue()).toBe(
    after.StreamInConnection.StreamName,
  )
  await page.getByRole('button', { name: 'Show QR code' }).click()
  const link = phoneSetup('Evening show', after.StreamInConnection) ?? ''
  expect(await page.getByRole('link', { name: 'Open in Larix Broadcaster' }).getAttribute('href')).toBe(link)
  const drawn = await page
    .getByRole('img', { name: /^QR code/ })
    .locator('path')
    .getAttribute('d')
  expect(drawn).toBe(qrPath(link).path)
  await close()
})

test('a target is added, edited without its key, and deleted, and a reader sees neither keys nor buttons', async () => {
  const stream = await world.newStream()
  const path = `/projects/${stream.projectId}/live`
  const targets = async () => (await world.server.call('GET', `${path}/targets`)).body.Targets
  const { page, expectSound, close } = await zoetropeConsole.visit(`${path}?part=targets`)
  await page.getByRole('button', { name: 'Add target' }).click()
  await page.getByLabel('Name').fill('Elsewhere')
  await page.getByLabel('Server URL').fill('rtmp://127.0.0.1/app')
  await page.getByLabel('Stream key').fill('their-secret-key')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Edit Elsewhere' }).click()
  await page.getByLabel('Name').fill('There')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Delete There' }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  // Round corners would cut off the last letter of the state.
  const state = page.locator('main li .mantine-Badge-root')
  expect(await state.evaluate((badge) => getComputedStyle(badge).borderRadius)).toBe('0px')
  expect(await targets()).toMatchObject([
    { Label: 'There', URI: expect.stringMatching(/-key$/), ServerURI: 'rtmp://127.0.0.1/app' },
  ])
  await expectSound()
  await page.getByRole('button', { name: 'Delete There' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No simulcast targets yet.').waitFor()
  expect(await targets()).toEqual([])
  await close()

  const reader = await zoetropeConsole.visit(path, { role: 'Reader' })
  await reader.page.getByText('Requires the permission to view stream keys.').waitFor()
  for (const name of ['Record', 'More actions', 'Reset key', 'Show QR code'])
    expect(await reader.page.getByRole('button', { name }).count()).toBe(0)
  await reader.expectSound()
  await reader.close()
})

test('warnings state what viewers notice and the remedy, with the measured values', () => {
  const said = (key: string, values: object = {}) => [key, ...Object.values(values)].join(' ')
  const Video = { Codec: 'avc1', Width: 1, Height: 1, FrameRate: 12.4, BitRate: 1, KeyFrameInterval: 8.04 }
  const Publisher = { Protocol: 'rtmp', Address: '192.0.2.7', Encoder: 'obs-output module (libobs 31.0)' }
  const warning = (Code: string) => ({ Code, Message: 'In English.', Since: '2026-03-01T12:00:00+00:00' })
  const remedyOf = (code: string, encoder = Publisher.Encoder) => {
    const status = {
      Warnings: [warning(code)],
      Video,
      DriftMs: -740,
      Publisher: { ...Publisher, Encoder: encoder },
    }
    const [finding] = findingsOf(status, said)
    return [finding?.what, finding?.remedy]
  }
  expect(remedyOf('key_frames_too_rare')).toEqual(['keyFramesEvery 8', 'keyFramesInObs'])
  expect(remedyOf('key_frames_too_rare', 'Larix')).toEqual(['keyFramesEvery 8', 'key_frames_too_rare_do'])
  expect(remedyOf('frame_rate_drops')).toEqual(['framesNow 12', 'frame_rate_drops_do'])
  expect(remedyOf('clock_drift')).toEqual(['driftNow 740', 'clock_drift_do'])
  expect(remedyOf('of_a_newer_server')).toEqual(['In English.', null])
})

test('a phone gets the RTMP or SRT address with the stream key, and nothing without the right to see the key', () => {
  const none = { ServerURI: null, StreamName: null, SrtURI: null, SrtPassphrase: null }
  const valuesOf = (link: string | null) => [...new URLSearchParams(link?.split('?')[1])]
  const rtmp = { ...none, ServerURI: 'rtmp://video.example.com/live', StreamName: 'key' }
  expect(valuesOf(phoneSetup('Town & hall', rtmp))).toEqual([
    ['conn[][url]', 'rtmp://video.example.com/live/key'],
    ['conn[][name]', 'Town & hall'],
  ])
  const srt = { ...none, SrtURI: 'srt://video.example.com:10080?streamid=id', SrtPassphrase: 'secret' }
  expect(valuesOf(phoneSetup('Hall', srt))).toEqual([
    ['conn[][url]', 'srt://video.example.com:10080'],
    ['conn[][name]', 'Hall'],
    ['conn[][srtstreamid]', 'id'],
    ['conn[][srtpass]', 'secret'],
    ['conn[][srtmode]', 'c'],
  ])
  expect(phoneSetup('Hall', { ...rtmp, StreamName: null })).toBeNull()
})

test('the graph keeps ten minutes, with gaps where no values were measured', () => {
  const video = { Codec: 'avc1', Width: 1, Height: 1, FrameRate: 25, BitRate: 900_000, KeyFrameInterval: 2 }
  const audio = { Codec: 'mp4a', Channels: 2, SampleRate: 48_000, BitRate: 100_000 }
  let figures = withFigures(noFigures, { Video: video, Audio: audio }, 2_000)
  expect(figures).toEqual({ at: [2], kilobitsPerSecond: [1_000], framesPerSecond: [25] })
  expect(withFigures(figures, { Video: video, Audio: null }, 2_000)).toBe(figures)
  figures = withFigures(figures, { Video: null, Audio: null }, 4_000)
  expect(figures.kilobitsPerSecond).toEqual([1_000, null])
  for (let second = 6; second < 2_000; second += 2)
    figures = withFigures(figures, { Video: video, Audio: null }, second * 1_000)
  expect(figures.at).toHaveLength(300)
  expect(figures.kilobitsPerSecond.at(-1)).toBe(900)
})

test('the clip dialog shows the time since the start of a broadcast that is shorter than the DVR window', async () => {
  const stream = await world.newStream({ timeshift_seconds: 3_600 })
  const leave = publish(stream.streamKey)
  const { page, expectSoundDialog, close } = await zoetropeConsole.visit(`/projects/${stream.projectId}/live`)
  await page.locator('[data-state=online]').waitFor()
  await page.getByRole('button', { name: 'Create clip' }).click()
  await page.getByText(/^About \d:\d\d are available\.$/).waitFor()
  await page.locator('[role=dialog] input:focus').waitFor()
  await expectSoundDialog()
  await leave()
  await close()
})

test('an encoder that is connected but sends nothing is not healthy', async () => {
  const stream = await world.newStream()
  const leave = publish(stream.streamKey)
  const { page, close } = await zoetropeConsole.visit(`/projects/${stream.projectId}/live`)
  await page.getByText('Healthy').first().waitFor()
  leave.pause()
  await page.getByText('No data from the encoder').waitFor()
  expect(await page.getByText('Healthy').count()).toBe(0)
  await leave()
  await close()
})

test('an interrupted broadcast is not healthy, and its recording shows its start', async () => {
  const stream = await world.newStream()
  const path = `/projects/${stream.projectId}/live`
  const leave = publish(stream.streamKey)
  const { page, close } = await zoetropeConsole.visit(path)
  await page.locator('[data-state=online]').waitFor()
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  const recording = page.locator('[data-recording=recording] [data-tone=recording]')
  await recording.getByText(/^since .* · \d/).waitFor()
  await page.getByText('Healthy').first().waitFor()
  // The row is ahead of the node, which still reports the publisher.
  for (const State of ['reconnecting', 'offline']) {
    await page.route(/live\/status/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), State } })
    })
    await page.locator(`[data-state=${State}]`).waitFor()
    await page.getByText('No encoder connected').waitFor()
    expect(await page.getByText('Healthy').count()).toBe(0)
  }
  // No clock counts on.
  expect(await recording.locator('.live-value').textContent()).toBe('REC')
  await leave()
  await close()
})
