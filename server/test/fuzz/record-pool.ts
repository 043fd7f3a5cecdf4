import fc from 'fast-check'
import { bodyExamples, type OpenApiDocument, type Operation } from '../support/openapi-document.ts'
import type { Answer } from '../support/test-server.ts'
import { validValue } from './from-schema.ts'

export type PathIds = Readonly<Record<string, string>>

/**
 * Finds path parameters of existing records by the shape of the API: `POST /things` creates the record at
 * `/things/{thingId}`.
 */
export interface RecordPool {
  /**
   * Returns the ids of the longest known prefix of this path. For a path that restores, returns a deleted
   * record.
   */
  readonly idsFor: (path: string) => PathIds
  /** Replaces generated ids in a JSON body by those of existing records. */
  readonly withLiveIds: (json: string) => string
  /** Creates or finds records until every parametrized path has one, as far as possible. */
  readonly fill: () => Promise<void>
  readonly remember: (operation: Operation, ids: PathIds, answer: Answer) => void
}

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

const idOf = (record: unknown): string | undefined => {
  const { Id, FilePictureId, EventId } = (record ?? {}) as Record<string, unknown>
  const id = Id ?? FilePictureId ?? EventId
  return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined
}

export const fillPath = (path: string, ids: PathIds): string =>
  path.replace(/\{(\w+)\}/g, (all, name: string) => ids[name] ?? all)

export const createRecordPool = (
  document: OpenApiDocument,
  operations: readonly Operation[],
  options: { readonly call: Call; readonly seed: number },
): RecordPool => {
  const records = new Map<string, PathIds[]>()
  const deleted = new Map<string, PathIds>()
  const memberPaths = new Map(
    operations.flatMap(({ path }) => {
      const parts = path.split('/')
      return parts.flatMap((part, index) =>
        part.startsWith('{')
          ? [[parts.slice(0, index).join('/'), parts.slice(0, index + 1).join('/')] as const]
          : [],
      )
    }),
  )
  const byPath = (method: string, path: string): Operation | undefined =>
    operations.find((one) => one.method === method && one.path === path)

  const add = (memberPath: string, parent: PathIds, record: unknown): void => {
    const id = idOf(record)
    const name = /\{(\w+)\}$/.exec(memberPath)?.[1]
    if (id === undefined || name === undefined) return
    const known = records.get(memberPath) ?? []
    known.push({ ...parent, [name]: id })
    records.set(memberPath, known.slice(-5))
  }

  const idsFor = (path: string): PathIds => {
    const parts = path.split('/')
    const gone = parts.at(-1) === 'restore' ? deleted.get(parts.slice(0, -1).join('/')) : undefined
    if (gone !== undefined) return gone
    for (let length = parts.length; length > 0; length -= 1) {
      const known = records.get(parts.slice(0, length).join('/'))?.at(-1)
      if (known !== undefined) return known
    }
    return {}
  }

  const withLiveIds = (json: string): string =>
    json.replace(/"([A-Z]\w*Id)":\d+/g, (all, name: string) => {
      const parameter = `${name.charAt(0).toLowerCase()}${name.slice(1)}`
      const live = [...records.values()].flat().findLast((ids) => parameter in ids)?.[parameter]
      return live === undefined || !/^\d+$/.test(live) ? all : `"${name}":${live}`
    })

  const make = async (collection: string, memberPath: string): Promise<void> => {
    const parent = idsFor(collection)
    const address = fillPath(collection, parent)
    const content = byPath('POST', collection)?.requestBody?.content['application/json']
    if (content?.schema !== undefined) {
      const bodies = [
        ...bodyExamples(content),
        ...fc.sample(validValue(document, content.schema), { seed: options.seed, numRuns: 10 }),
      ]
      for (const body of bodies) {
        const answer = await options.call('POST', address, JSON.parse(withLiveIds(JSON.stringify(body))))
        if (answer.status !== 201) continue
        add(memberPath, parent, answer.body)
        return
      }
    }
    if (byPath('GET', collection) === undefined) return
    const { status, body } = await options.call('GET', address)
    if (status !== 200) return
    const [list = []] = Object.values(body as object).filter((one): one is unknown[] => Array.isArray(one))
    if (list.length > 0) add(memberPath, parent, list[0])
  }

  return {
    idsFor,
    withLiveIds,
    fill: async () => {
      const missing = [...memberPaths].sort(([one], [other]) => one.length - other.length)
      for (const [collection, memberPath] of missing) {
        const known = records.get(memberPath)?.at(-1)
        const isAlive =
          known !== undefined &&
          byPath('GET', memberPath) !== undefined &&
          (await options.call('GET', fillPath(memberPath, known))).status === 200
        if (!isAlive) await make(collection, memberPath)
      }
    },
    remember: (operation, ids, answer) => {
      const memberPath = memberPaths.get(operation.path)
      if (operation.method === 'POST' && answer.status === 201 && memberPath !== undefined)
        add(memberPath, ids, answer.body)
      if (operation.method === 'DELETE' && answer.status === 200) deleted.set(operation.path, ids)
    },
  }
}
