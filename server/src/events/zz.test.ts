import { test } from 'vitest'
import { createEventWorld } from './test-support/event-world.ts'
import { readStream } from './test-support/read-stream.ts'
for (const mode of [0, 1, 2, 3])
test('stop ' + mode, { timeout: 60_000 }, async () => {
  const world = mode % 2 ? await createEventWorld() : null
  const { server } = await createEventWorld()
  const s = server.services as any
  await readStream(`${server.url}/v3/events/stream`, { apiKey: server.apiKey });
  if (mode > 1) await readStream(`${server.url}/v3/events/stream?after=0`, { apiKey: server.apiKey })
  const t = performance.now()
  const js = s.jobs.stop
  s.jobs.stop = async (o: any) => { console.log(mode, 'api stopped', performance.now() - t); await js(o); console.log(mode, 'jobs stopped', performance.now() - t) }
  const dc = s.database.close
  s.database.close = async () => { const q = await world?.server.services.database.sql`select pid, datname, state, query, wait_event from pg_stat_activity where application_name = 'zoetrope'`; console.log(JSON.stringify(q)); await dc(); console.log(mode, 'db closed', performance.now() - t) }
  await server.stop()
  console.log(mode, 'stop took', performance.now() - t)
  await world?.server.stop()
})
