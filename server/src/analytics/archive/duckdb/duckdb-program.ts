import { DuckDBInstance } from '@duckdb/node-api'
import type { Answer, Question, Start } from './protocol.ts'

/**
 * A process of its own: a crash of the engine, or a lack of memory, ends neither an api process nor a worker. It ends with its
 * parent.
 */
const { memoryMegabytes, threads, temporaryFolder } = JSON.parse(process.argv[2] ?? '') as Start

const open = async () => {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${memoryMegabytes}MB`,
    threads: String(threads),
    temp_directory: temporaryFolder,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    preserve_insertion_order: 'false',
  })
  const connection = await instance.connect()
  // The engine has all extensions that it needs, and must not change these limits.
  await connection.run('set lock_configuration = true')
  return connection
}

const connected = open()

const answer = async ({ id, text, values }: Question): Promise<Answer> => {
  try {
    const connection = await connected
    const reader = await connection.runAndReadAll(text, [...values])
    return { id, rows: reader.getRowObjectsJson() as Answer['rows'] }
  } catch (error) {
    return { id, rows: [], error: error instanceof Error ? error.message : String(error) }
  }
}

process.on('disconnect', () => process.exit(0))
process.on('message', (question: Question) => {
  void answer(question).then((done) => process.send?.(done))
})
