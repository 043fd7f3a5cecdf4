import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSample } from '../support/media.ts'
import { waitFor } from '../support/wait-for.ts'
import { createInstallation, type Installation } from './installation.ts'
import { compareMedia, listLeftovers, waitForExtras } from './media-inventory.ts'
import { withDatabase } from './with-database.ts'

let installation: Installation
let sample: Buffer

beforeAll(async () => {
  installation = await createInstallation()
  await installation.start()
  // One group of pictures, so the last segments decode all of it.
  sample = await makeSample({ seconds: 9, size: '1280x720', extra: ['-g', '300', '-sc_threshold', '0'] })
})

afterAll(() => installation.remove())

const readClaim = (renditionId: number) =>
  withDatabase(installation, ({ kysely }) =>
    kysely
      .selectFrom('on_demand_chunks')
      .select(['claimed_at', 'leased_until'])
      .where('rendition_id', '=', renditionId)
      .where('number', '=', 3)
      .executeTakeFirstOrThrow(),
  )

const follow = async (url: string): Promise<number> => {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.status
}

test.each(['worker', 'everything'] as const)(
  'after kill -9 of %s in the middle of a segment on demand, viewers get it, and nothing is left over',
  async (target) => {
    const project = await installation.call('POST', '/projects', {
      Name: target,
      DefaultReleaseStatus: 'published',
      EncoderSettings: { LadderMode: 'on-demand', Renditions: [{ Height: 360 }, { Height: 480 }] },
    })
    const created = await installation.call('POST', `/projects/${project.body.Id}/files`, {
      FileName: 'cold.mp4',
      FileSize: sample.length,
    })
    const put = await fetch(created.body.Upload.URI as string, { method: 'PUT', body: sample as BodyInit })
    expect(put.status).toBe(200)
    const path = `/projects/${project.body.Id}/files/${created.body.Id}`
    const file = await waitFor(
      async () => (await installation.call('GET', path)).body,
      ({ Status }) => Status === 'finished',
    )
    await waitForExtras(installation)
    await waitFor(installation.countEncoders, (count) => count === 0)
    const rung = file.Renditions.find(({ Name }: { Name: string }) => Name === '480p')
    const folder = `${file.Playouts[0].HLS.replace('/main.m3u8', '')}/${rung.Id}`
    const asked = follow(`${folder}/3.m4s`).catch(() => 0)
    await waitFor(installation.countEncoders, (count) => count > 0)
    const { leased_until: leaseOfKilled } = await readClaim(rung.Id)
    await installation.killAndRecover(target)
    await asked
    await waitFor(
      () => follow(`${folder}/3.m4s`),
      (status) => status === 200,
    )
    // A restarted worker does not wait for the end of the leases of its predecessor.
    const { claimed_at: claimedAt } = await readClaim(rung.Id)
    expect(claimedAt!.getTime()).toBeLessThan(leaseOfKilled!.getTime())
    await waitFor(installation.countEncoders, (count) => count === 0)
    await waitFor(
      () => compareMedia(installation),
      ({ orphans, missing, miscounted }) => orphans.length + missing.length + miscounted.length === 0,
    )
    expect(await listLeftovers(installation.dataFolder)).toEqual([])
  },
)
