import type { HttpClient, RequestOptions } from './http-client.ts'
import type { Answer, Listed, OperationId, Query } from './operation-types.ts'

/** Await it for one page, or iterate it with `for await` for all records of all pages. */
export interface List<Envelope, T> extends PromiseLike<Envelope>, AsyncIterable<T> {}

/**
 * Returns a lazy list: it sends no request before it is awaited or iterated. Iteration follows `NextCursor`, so
 * it neither skips nor repeats records.
 */
export const list = <Id extends OperationId, Key extends string & keyof Answer<Id>>(
  http: HttpClient,
  id: Id,
  key: Key,
  input: {
    readonly path?: Readonly<Record<string, number | string>>
    readonly query?: Query<Id> | undefined
    readonly options?: RequestOptions | undefined
  },
): List<Answer<Id>, Listed<Id, Key>> => {
  const page = (query: Query<Id> | undefined): Promise<Answer<Id>> =>
    http.call(id, { ...input, ...(query === undefined ? {} : { query }) } as Parameters<
      typeof http.call<Id>
    >[1])
  return {
    // oxlint-disable-next-line unicorn/no-thenable -- a list is awaited for its first page
    then: (onPage, onError) => page(input.query).then(onPage, onError),
    async *[Symbol.asyncIterator]() {
      let query = input.query
      for (;;) {
        const envelope = await page(query)
        yield* envelope[key] as Iterable<Listed<Id, Key>>
        const { NextCursor: cursor } = envelope as { NextCursor?: string | null }
        if (cursor == null) return
        query = { ...query, offset: undefined, cursor } as unknown as Query<Id>
      }
    },
  }
}
