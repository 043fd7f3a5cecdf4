import { createHands } from '../../../../test/support/hands.ts'
import { makeSample } from '../../../../test/support/media.ts'
import type { TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { removeGarbage } from '../../../library/files/media/remove-garbage.ts'
import { createMakeChunksHandler } from '../on-demand/make-chunks-handler.ts'

interface Ids {
  readonly projectId: number
  readonly fileId: number
}

export interface ListedRung {
  readonly Id: number
  readonly Name: string
  readonly State: string
  readonly Size: number
  readonly PeakBitRate: number
}

const never = new AbortController().signal

/** A source of 320 × 180 with a key frame every two seconds, so that each segment of a rung on demand begins at one. */
export const makeOnDemandSource = (seconds: number): Promise<Buffer> =>
  makeSample({
    ...{ seconds, size: '320x180' },
    extra: ['-preset', 'ultrafast', '-g', '60', '-sc_threshold', '0'],
  })

/** Takes the part of a worker for files that are encoded on demand, on a server without one. */
export const createOnDemandHands = (server: TestServer, defaults: object) => {
  const hands = createHands(server)

  const encodeWanted = () =>
    createMakeChunksHandler(hands.dependencies, { encoderCount: 2, areSourcesHere: true })(
      { renditionId: 0 },
      never,
    )

  const newProject = ({ EncoderSettings = {}, ...body }: { readonly EncoderSettings?: object } = {}) =>
    hands.newProject({
      ...body,
      EncoderSettings: { LadderMode: 'on-demand', ...defaults, ...EncoderSettings },
    })

  const describe = async (ids: Ids) => {
    const file = await hands.get(ids)
    const path = `/v/${file.Playouts[0].Id}`
    const [lowest, ...rungs] = file.Renditions.filter(({ Type }: { Type: string }) => Type === 'video')
    return {
      ids,
      file,
      path,
      base: `${server.url}${path}`,
      /** What plays at once: the source, or the lowest rung. */
      played: lowest as ListedRung,
      /** Highest first. */
      rungs: rungs as ListedRung[],
    }
  }

  /** Redirects are followed only on request, because each is a state of the wait. */
  const fetchMedia = async (url: string, redirect: 'manual' | 'follow' = 'manual') => {
    const response = await fetch(url, { redirect })
    return {
      status: response.status,
      headers: response.headers,
      body: Buffer.from(await response.arrayBuffer()),
    }
  }

  /** Encodes what is wanted while `request` waits. */
  const served = async <T>(request: () => Promise<T>): Promise<T> => {
    const asked = request()
    const runs: Promise<void>[] = []
    const timer = setInterval(() => runs.push(encodeWanted().catch(() => {})), 100)
    try {
      return await asked
    } finally {
      clearInterval(timer)
      await Promise.all(runs)
    }
  }

  /** Loads a segment as a player does, which asks again for one that did not come within ten seconds. */
  const load = (url: string) =>
    waitFor(
      () => fetchMedia(url, 'follow'),
      ({ status }) => status === 200,
    )

  return {
    ...hands,
    newProject,
    encodeWanted,
    get: hands.get,
    /** Uploads and processes the file. */
    list: async (bytes: Buffer, projectId: number, body: object = {}) => {
      const ids = await hands.upload(projectId, bytes, body)
      await hands.process(ids)
      return describe(ids)
    },
    describe,
    served,
    load,
    /** Loads a segment, and encodes it meanwhile. */
    play: (url: string) => served(() => load(url)),
    rungOf: async (ids: Ids, name: string): Promise<ListedRung> =>
      (await hands.get(ids)).Renditions.find(({ Name }: { Name: string }) => Name === name),
    chunksOf: (fileId: number) =>
      server.services.database.kysely
        .selectFrom('on_demand_chunks')
        .selectAll()
        .where('file_id', '=', fileId)
        .orderBy('rendition_id')
        .orderBy('number')
        .execute(),
    /** Removes what housekeeping would remove in six hours. */
    removeAllGarbage: async (): Promise<void> => {
      await server.services.database
        .sql`update discarded_media set remove_after = now() - interval '1 second'`
      await removeGarbage(hands.dependencies)
    },
    /** Segments that the playlist of a rung names. */
    countSegments: async (url: string): Promise<number> =>
      (await (await fetch(url)).text()).match(/#EXTINF/g)?.length ?? 0,
    fetchMedia,
  }
}
