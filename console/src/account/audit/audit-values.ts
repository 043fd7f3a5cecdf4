import type { zoetrope } from '../../shell/api.ts'
import type { Translate } from '../../shell/texts.ts'

export type Entry = Awaited<ReturnType<typeof zoetrope.audit.list>>['AuditEntries'][number]
export type Change = Entry['Changes'][number]

const shownFields = 2
const shownCharacters = 40

/** Fields that name a record, the best first. */
const nameFields = ['Name', 'Label', 'Email', 'Title', 'TargetURL']

/** The name that the act itself mentions. Null = none. */
export const nameInChanges = (changes: readonly Change[]): string | null => {
  for (const field of nameFields) {
    const change = changes.find(({ Field }) => Field === field)
    const value = change?.After ?? change?.Before
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}

/** A value as text, as it is in the record. */
export const valueText = (value: unknown, t: Translate<'account.audit'>): string => {
  if (value === null || value === '') return t('empty')
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

const isShort = (value: unknown): value is string | number | boolean | null =>
  value === null ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= shownCharacters)

/** Whether a record was changed, in contrast to one that was created or deleted with all of its fields. */
const isUpdate = ({ Before, After, Added, Removed }: Change): boolean =>
  (Before !== undefined && After !== undefined) || Added !== undefined || Removed !== undefined

/** What changed, in a few words: the values of one short change, else the names of the fields. */
export const summaryOf = (changes: readonly Change[], t: Translate<'account.audit'>): string => {
  const updates = changes.filter(isUpdate)
  const [first] = updates
  if (first === undefined) {
    // An invitation has no name: the log has no addresses of people who may never come.
    const role = changes.find(({ Field }) => Field === 'Role')
    return role === undefined ? '' : `${role.Field}: ${valueText(role.After ?? role.Before, t)}`
  }
  const { Field, Before, After } = first
  if (updates.length === 1 && isShort(Before) && isShort(After))
    return `${Field}: ${valueText(Before, t)} → ${valueText(After, t)}`
  const fields = updates.slice(0, shownFields).map((change) => change.Field)
  const left = updates.length - fields.length
  return `${fields.join(', ')}${left > 0 ? ` ${t('more', { count: left })}` : ''}`
}
