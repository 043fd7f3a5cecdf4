import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { turnPicture, type Turn } from '../../../packages/isobmff/test-support/turn-picture.ts'

const run = promisify(execFile)

export interface Shape {
  readonly name: string
  readonly inputs: string
  readonly output: string
  /** Turned by its track header afterwards. */
  readonly turned?: Turn | undefined
}

const isDerived = ({ inputs }: Shape): boolean => inputs.includes('{')

/** Makes all shapes with the same inputs in one ffmpeg run, which saves most of the start-up time. */
const makeGroup = async (folder: string, inputs: string, members: readonly Shape[]): Promise<void> => {
  const words = (text: string): string[] =>
    text
      .replaceAll(/\{([^}]+)\}/g, (_all, name: string) => join(folder, name))
      .split(' ')
      .filter((word) => word !== '')
  const outputs = members.flatMap(({ name, output }) => [
    ...words(output),
    '-threads',
    '1',
    join(folder, name),
  ])
  await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...words(inputs), ...outputs])
  for (const { name, turned } of members)
    if (turned !== undefined) await turnPicture(join(folder, name), turned)
}

export const makeShapes = async (folder: string, shapes: readonly Shape[]): Promise<void> => {
  for (const stage of [shapes.filter((one) => !isDerived(one)), shapes.filter(isDerived)])
    await Promise.all(
      [...Map.groupBy(stage, ({ inputs }) => inputs)].map(([inputs, members]) =>
        makeGroup(folder, inputs, members),
      ),
    )
}
