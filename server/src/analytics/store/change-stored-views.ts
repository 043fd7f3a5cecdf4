import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import {
  archivedSetting,
  nothingSent,
  nothingStored,
  sentSetting,
  type SentViews,
  type StoredViews,
} from './stored-views.ts'

/** Returns false when another run has changed it. */
const changeState = async <State extends object>(
  tx: Tx,
  name: string,
  { from, to, fallback }: { readonly from: State; readonly to: State; readonly fallback: State },
): Promise<boolean> => {
  await sql`insert into installation_settings (name, value) values (${name}, ${JSON.stringify(fallback)})
    on conflict (name) do nothing`.execute(tx)
  const { rows } = await sql`
    update installation_settings set value = ${JSON.stringify(to)}
    where name = ${name} and value = ${JSON.stringify(from)} returning name`.execute(tx)
  return rows.length === 1
}

export const changeArchived = (tx: Tx, from: StoredViews, to: StoredViews): Promise<boolean> =>
  changeState(tx, archivedSetting, { from, to, fallback: nothingStored })

export const changeSent = (tx: Tx, from: SentViews, to: SentViews): Promise<boolean> =>
  changeState(tx, sentSetting, { from, to, fallback: nothingSent })
