import { openConnection, type Connection, type ConnectionOptions } from '../driver/connection.ts'

/** Long enough for the query of the other connection. */
const heldSeconds = 0.05
const rounds = 3
const answerMs = 10_000

export const transactionPoolerFound =
  'DATABASE_URL leads to a connection pooler in transaction or statement mode, such as PgBouncer with pool_mode = transaction. ' +
  'Rows of one account could be shown to another one, so Zoetrope does not start. Set pool_mode = session, or connect to PostgreSQL directly.'

const backendOf = async (connection: Connection, holdSeconds = 0): Promise<string> => {
  const [row] = await connection.rows<{ backend: string }>(
    `select concat(pg_backend_pid(), ' ', pg_postmaster_start_time()) as backend, pg_sleep(${holdSeconds})`,
  )
  return row?.backend ?? ''
}

/**
 * Returns whether two connections share backends. A direct connection, or a pooler in session mode, keeps one
 * backend per connection. A pooler in transaction or statement mode lends a backend per statement. While one
 * connection occupies the backend used last, the other one gets another backend, or waits for the same one.
 */
export const isTransactionPooler = async (where: ConnectionOptions): Promise<boolean> => {
  const first = await openConnection(where)
  let second = first
  const discard = (): void => {
    for (const connection of [first, second]) connection.discard()
  }
  const timer = setTimeout(discard, answerMs)
  try {
    second = await openConnection(where)
    const ofFirst = new Set<string>()
    const ofSecond = new Set<string>()
    for (let round = 0; round < rounds; round += 1) {
      // A pooler that uses its backends in turn could otherwise lend each connection the same one every time.
      const isSwapped = round % 2 === 1
      const [asking, ofAsking] = isSwapped ? [second, ofSecond] : [first, ofFirst]
      const [holding, ofHolding] = isSwapped ? [first, ofFirst] : [second, ofSecond]
      ofAsking.add(await backendOf(asking))
      const held = backendOf(holding, heldSeconds)
      const [one, other] = await Promise.all([backendOf(asking), held])
      ofAsking.add(one)
      ofHolding.add(other)
    }
    return ofFirst.size > 1 || ofSecond.size > 1 || !ofFirst.isDisjointFrom(ofSecond)
  } finally {
    clearTimeout(timer)
    discard()
  }
}
