import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from './config/config.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres/embedded-postgres.ts'
import { createLog } from '../platform/log/log.ts'
import { buildApi } from './api/build-api.ts'
import { prepareDatabase } from './roles/prepare-database.ts'
import { addApiServices, buildServices } from './roles/services.ts'

/** The committed document must not name a real installation. */
const neutralUrl = 'https://video.example.com'

/**
 * Implements `npm run openapi`: writes server/openapi.json from the route schemas, as a server with default
 * settings returns it.
 */
const writeOpenApi = async (): Promise<void> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'zoetrope-openapi-'))
  const postgres = await startEmbeddedPostgres({ dataFolder: join(dataFolder, 'postgres') })
  try {
    const { connectionOptions: connection } = postgres
    const log = createLog({ level: 'silent' })
    await (await prepareDatabase(connection, log)).close()
    const config = loadConfig({ ZOETROPE_DATA: dataFolder, ZOETROPE_PUBLIC_URL: neutralUrl })
    const services = await buildServices(config, connection, log, { role: 'api' })
    const { app } = await buildApi(await addApiServices(services))
    await writeFile(
      new URL('../../openapi.json', import.meta.url),
      `${JSON.stringify(app.swagger(), null, 1)}\n`,
    )
    await app.close()
    await services.close()
  } finally {
    await postgres.stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

await writeOpenApi()
