import { describe, expect, it } from 'vitest'
import { createLog } from '../../../platform/log/log.ts'
import { createResultWriter } from './result-writer.ts'

const log = createLog({ level: 'silent' })

describe('createResultWriter', () => {
  it('writes results in batches of at most 256, in the order of arrival', async () => {
    const batches: number[][] = []
    const writer = createResultWriter<number>(async (batch) => void batches.push([...batch]), log)
    for (let index = 0; index < 300; index += 1) writer.add(index)
    await writer.flush()
    expect(batches.map(({ length }) => length)).toEqual([256, 44])
    expect(batches.flat()).toEqual(Array.from({ length: 300 }, (_, index) => index))
  })

  it('retries a failed batch before writing later results', async () => {
    const written: string[] = []
    let refusals = 0
    const writer = createResultWriter<string>(async (batch) => {
      if (refusals === 0) {
        refusals += 1
        throw new Error('the database is down')
      }
      written.push(...batch)
    }, log)
    writer.add('first')
    const flushed = writer.flush()
    writer.add('second')
    await flushed
    await writer.flush()
    expect(written).toEqual(['first', 'second'])
  })

  it('runs no other work while a batch is being written', async () => {
    const order: string[] = []
    let finish: () => void = () => {}
    const writer = createResultWriter<string>(async () => {
      order.push('batch begins')
      await new Promise<void>((resolve) => (finish = resolve))
      order.push('batch ends')
    }, log)
    writer.add('result')
    const flushed = writer.flush()
    const between = writer.between(async () => void order.push('between'))
    await expect.poll(() => order).toEqual(['batch begins'])
    finish()
    await Promise.all([flushed, between])
    expect(order).toEqual(['batch begins', 'batch ends', 'between'])
  })

  it('gives up when it is closed and the database still fails', async () => {
    const writer = createResultWriter<string>(() => Promise.reject(new Error('the database is down')), log)
    writer.add('lost to this process, sent again by the next')
    await writer.close()
  })
})
