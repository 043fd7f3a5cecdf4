import { setTimeout as delay } from 'node:timers/promises'
import { isTrouble } from './client.ts'
import { keepDoing, type World } from './world.ts'

const filesOfEach = 4
const pauseMs = [150, 600] as const

/**
 * One writer of records of its own. It changes a title with `If-Match`, so that a request that arrives late changes nothing,
 * and reads each acknowledged title at another node at once.
 */
export const writeRecords = async (world: World, projectId: number, name: string): Promise<void> => {
  const { client, journal, random, over } = world
  const files: { readonly id: number; title: string }[] = []
  for (let index = 0; index < filesOfEach; index += 1) {
    const fileName = `${name}-${index}.mp4`
    const { body } = await client.insist(`/v3/projects/${projectId}/files`, [201], {
      method: 'POST',
      headers: { 'Idempotency-Key': fileName },
      body: { FileName: fileName },
    })
    journal.write({ kind: 'created', projectId, fileId: body.Id, name: fileName })
    files.push({ id: body.Id, title: '' })
  }
  let count = 0

  await keepDoing(world, `writer ${name}`, pauseMs, async () => {
    const file = random.pick(files)
    const path = `/v3/projects/${projectId}/files/${file.id}`
    const title = `${name} ${++count}`
    for (;;) {
      const before = await client.insist(path, [200])
      // A request without an answer, or with the answer of a broken node, may have changed it.
      if (before.body.Metadata.Title === title) break
      const answer = await client.ask(`${path}/metadata`, {
        method: 'PUT',
        headers: { 'If-Match': before.headers.get('etag') ?? '' },
        body: { Title: title },
      })
      if (answer?.status === 200) break
      if (answer !== null && answer.status !== 412 && !isTrouble(answer.status))
        throw new Error(`PUT ${path}/metadata answered ${answer.status} ${JSON.stringify(answer.body)}`)
      if (over.aborted) return
      await delay(300)
    }
    journal.write({ kind: 'changed', projectId, fileId: file.id, title })
    file.title = title
    const { body } = await client.insist(path, [200])
    if (body.Metadata.Title !== title)
      throw new Error(`file ${file.id} is "${body.Metadata.Title}" after "${title}" was acknowledged`)
  })
}
