import type { Answer, TestServer } from '../../../../test/support/test-server.ts'
import type { Database } from '../../../platform/db/database.ts'
import { insertPasskey } from '../store/passkey-store.ts'
import { insertSession } from '../store/session-store.ts'

export type Ids = Record<string, number | string>

const smallestPng =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADklEQVR4nGP4/5+BFAQA/U4f4cOgO+EAAAAASUVORK5CYII='

const sessionLimits = { idleMs: 3_600_000, maxMs: 3_600_000 }

const unique = (): string => `secret-${crypto.randomUUID()}`

interface Maker {
  readonly post: (path: string, body?: object) => Promise<Answer['body']>
  readonly get: (path: string) => Promise<Answer['body']>
  readonly database: Database
  readonly ids: Ids
}

/**
 * Creates one record of each kind, within the project where possible. Add an entry for a new path parameter:
 * the tests of permissions and tenancy then use it on a real record.
 */
const makers: Record<string, (maker: Maker) => Promise<number | string>> = {
  fileId: async ({ post, ids }) =>
    (await post(`/projects/${ids['projectId']}/files`, { FileName: 'secret.mp4' })).Id,
  targetId: async ({ post, ids }) =>
    (
      await post(`/projects/${ids['projectId']}/live/targets`, {
        Label: 'Secret target',
        URI: 'rtmp://127.0.0.1/live/secret-key',
      })
    ).Id,
  // A worker would create it from a video: a row is enough to test its visibility.
  filePictureId: async ({ database, ids }) => {
    const file = await database.kysely
      .selectFrom('media_files')
      .select(['id', 'account_id'])
      .where('id', '=', Number(ids['fileId']))
      .executeTakeFirstOrThrow()
    const picture = await database.kysely
      .insertInto('file_pictures')
      .values({
        account_id: file.account_id,
        file_id: file.id,
        width_pixels: 1_280,
        height_pixels: 720,
        is_standard: true,
        picture_blob: 'none',
        thumb_blob: 'none',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return picture.id
  },
  captionId: async ({ post, ids }) =>
    (
      await post(`/projects/${ids['projectId']}/files/${ids['fileId']}/captions`, {
        Language: 'en',
        Content: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n',
      })
    ).Id,
  categoryId: async ({ post }) => (await post('/modules/categories', { Label: unique() })).Id,
  videotypeId: async ({ post }) => (await post('/modules/videotypes', { Label: unique() })).Id,
  shareId: async ({ post }) => (await post('/modules/shares', { Label: unique() })).Id,
  webhookId: async ({ post, ids }) =>
    (
      await post('/modules/notifications', {
        TargetURL: 'http://127.0.0.1:9',
        EventTypes: ['webhook.ping'],
        ProjectId: ids['projectId'],
      })
    ).Id,
  alertId: async ({ post, ids }) =>
    (
      await post('/analytics/alerts', {
        ...{ Label: 'Secret alert', ProjectId: ids['projectId'] },
        ...{ Metric: 'rebuffering', Operator: 'above', Threshold: 0.02 },
      })
    ).Id,
  deliveryId: async ({ post, ids }) => (await post(`/modules/notifications/${ids['webhookId']}/test`)).Id,
  // No worker ends the replay, and while it runs no other one may start.
  replayId: async ({ post, ids, database }) => {
    const range = { From: '2026-03-01T12:00:00+00:00' }
    const { Id } = await post(`/modules/notifications/${ids['webhookId']}/replay`, range)
    await database.sql`update webhook_replays set state = 'finished', finished_at = now() where id = ${Id as number}`
    return Id
  },
  eventId: async ({ get, ids }) =>
    (await get(`/events?after=0&limit=1&projectId=${ids['projectId']}`)).Events[0].EventId,
  keyUuid: async ({ post, ids }) =>
    (await post('/apikeys', { Label: 'Secret key', ProjectIds: [ids['projectId']] })).Id,
  userId: async ({ post }) => (await post('/users', { Email: `${unique()}@example.com`, Role: 'Reader' })).Id,
  sessionUuid: async ({ database, ids }) => {
    const user = await database.kysely
      .selectFrom('users')
      .innerJoin('projects', 'projects.account_id', 'users.account_id')
      .select(['users.id', 'users.account_id'])
      .where('projects.id', '=', Number(ids['projectId']))
      .orderBy('users.id')
      .limit(1)
      .executeTakeFirstOrThrow()
    const from = { address: '192.0.2.7', userAgent: 'secret browser', method: 'Password' } as const
    const { row } = await database.transaction((tx) => insertSession(tx, user, from, sessionLimits))
    return row.uuid
  },
  passkeyId: async ({ database, ids }) => {
    const user = await database.kysely
      .selectFrom('users')
      .select(['id', 'account_id'])
      .where('id', '=', Number(ids['userId']))
      .executeTakeFirstOrThrow()
    const row = await database.transaction((tx) =>
      insertPasskey(tx, {
        account_id: user.account_id,
        user_id: user.id,
        credential_id: unique(),
        public_key: Buffer.alloc(1),
        sign_count: 0,
        transports: [],
        name: 'Secret passkey',
        is_synced: false,
      }),
    )
    return row?.id ?? 0
  },
  invitationId: async ({ post }) =>
    (await post('/invitations', { Email: `${unique()}@example.com`, Role: 'Reader' })).Id,
  playlistId: async ({ post, ids }) =>
    (await post('/modules/playlists', { Name: 'Secret playlist', ProjectId: ids['projectId'] })).Id,
}

/** Kinds whose records belong to one project although their paths do not contain it. */
export const kindsOfProjects = new Set([
  'webhookId',
  'alertId',
  'deliveryId',
  'replayId',
  'eventId',
  'keyUuid',
  'playlistId',
])

/** Names no record. */
const metric = 'views'

/** Signs nothing: each operation needs one of its own record. */
const token = 'A'.repeat(16)

export const unknownIds: Ids = {
  ...Object.fromEntries(['projectId', ...Object.keys(makers)].map((name) => [name, 999_999])),
  keyUuid: '00000000-0000-4000-8000-000000000000',
  sessionUuid: '00000000-0000-4000-8000-000000000000',
  token,
  metric,
}

const expectSuccess = ({ status, body }: Answer, path: string): Answer['body'] => {
  if (status !== 200 && status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  return body
}

/** A worker would render the logo. */
const makeLogo = async ({ kysely }: Database, projectId: number): Promise<void> => {
  const name = `${crypto.randomUUID().replaceAll('-', '')}.png`
  const logo = { name, widthPixels: 16, heightPixels: 16, position: 'top-right', link: null }
  const { account_id } = await kysely
    .updateTable('projects')
    .set({ player_logo: JSON.stringify(logo) })
    .where('id', '=', projectId)
    .returning('account_id')
    .executeTakeFirstOrThrow()
  const picture = Buffer.from(smallestPng, 'base64')
  await kysely
    .insertInto('player_logos')
    .values({ project_id: projectId, account_id, name, picture })
    .execute()
}

export const makeRecords = async (server: TestServer, apiKey = server.apiKey): Promise<Ids> => {
  const post = async (path: string, body?: object) =>
    expectSuccess(await server.call('POST', path, { apiKey, ...(body === undefined ? {} : { body }) }), path)
  const get = async (path: string) => expectSuccess(await server.call('GET', path, { apiKey }), path)
  const { database } = server.services
  const ids: Ids = { projectId: (await post('/projects', { Name: 'Secret project' })).Id }
  const watermark = `/projects/${ids['projectId']}/watermark`
  expectSuccess(await server.call('PUT', watermark, { apiKey, body: { Picture: smallestPng } }), watermark)
  await makeLogo(database, Number(ids['projectId']))
  for (const [name, make] of Object.entries(makers)) ids[name] = await make({ post, get, ids, database })
  return { ...ids, token, metric }
}
