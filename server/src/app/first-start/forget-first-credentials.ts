import { readFile, rm } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { credentialFiles } from './first-credentials.ts'

interface SignedIn {
  readonly User?: { readonly Email?: string }
}

/**
 * Deletes the file with the first password once its owner has signed in with one of these routes: from then on
 * it only helps a thief.
 */
export const forgetFirstCredentials = (app: FastifyInstance, dataFolder: string): void => {
  const { initial } = credentialFiles(dataFolder)
  let isGone = false
  app.addHook('onSend', async (_request, reply, payload) => {
    if (isGone || reply.statusCode !== 201 || typeof payload !== 'string') return payload
    const text = await readFile(initial, 'utf8').catch(() => null)
    if (text === null) isGone = true
    else if ((JSON.parse(payload) as SignedIn).User?.Email === (JSON.parse(text) as { Email?: string }).Email)
      await rm(initial, { force: true })
    return payload
  })
}
