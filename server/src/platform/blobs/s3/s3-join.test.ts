import { expect, test } from 'vitest'
import type { BlobPiece } from '../blob-store.ts'
import { joinInS3 } from './s3-join.ts'
import type { MultipartStore } from './s3-multipart.ts'

const partBytes = 5 * 2 ** 20
const store = {
  put: () => Promise.reject(new Error('not used')),
  stream: () => Promise.reject(new Error('not used')),
}

const pieces = (count: number): BlobPiece[] =>
  Array.from({ length: count }, (_, index) => ({
    key: `piece-${index}`,
    range: { start: 0, end: partBytes },
  }))

/** Copies parts, except those that `fails` names, and remembers the requests. */
const createMultipart = (fails: (number: number) => boolean) => {
  const requests: string[] = []
  const multipart: MultipartStore = {
    create: async () => 'id',
    putPart: () => Promise.reject(new Error('not used')),
    copyPart: async (_key, _id, number) => {
      requests.push(`copy ${number}`)
      if (fails(number)) throw new Error(`part ${number} failed`)
      return `"${number}"`
    },
    complete: async (_key, _id, parts) => {
      requests.push(`complete ${parts.map(({ number }) => number).join(' ')}`)
      return true
    },
    abort: async () => {
      requests.push('abort')
    },
    putSmall: () => Promise.reject(new Error('not used')),
  }
  return { multipart, requests }
}

test('joins the parts in their order', async () => {
  const { multipart, requests } = createMultipart(() => false)
  expect(await joinInS3(store, multipart, 'joined', pieces(6))).toEqual({ sizeBytes: 6 * partBytes })
  expect(requests.at(-1)).toBe('complete 1 2 3 4 5 6')
})

test('sends no more parts after one has failed', async () => {
  const { multipart, requests } = createMultipart((number) => number === 2)
  await expect(joinInS3(store, multipart, 'joined', pieces(100))).rejects.toThrow('part 2 failed')
  expect(requests.length).toBeLessThan(10)
  expect(requests.at(-1)).toBe('abort')
})
