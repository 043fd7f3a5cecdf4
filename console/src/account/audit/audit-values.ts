import { textOfCode, type Translate } from '../../shell/texts.ts'
import type { zoetrope } from '../../shell/api.ts'
import { formatBytes, formatNumber, formatTime } from '../../ui/format.ts'

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

/** The label of a field. One of a newer server has its name in words: `DefaultLanguage` → `Default language`. */
export const fieldText = (field: string): string =>
  textOfCode('account.auditFields', field) ??
  field.replace(/(?<=[a-z])[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`)

/** Values that have a name of their own. */
const namedValue = (field: string, value: string): string | null => {
  if (field === 'Role') return textOfCode('account.roles', value)
  return field.endsWith('ReleaseStatus') ? textOfCode('ui.releaseStatus', value) : null
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** A value as users read it: times, sizes, yes and no, and objects with one field in a line. */
export const valueText = (field: string, value: unknown, t: Translate<'account.audit'>): string => {
  if (value === null || value === undefined || value === '') return t('empty')
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (typeof value === 'number')
    return field.endsWith('Bytes') ? formatBytes(value) : numberText(field, value)
  if (typeof value === 'string')
    return instant.test(value) ? formatTime(value) : (namedValue(field, value) ?? value)
  if (Array.isArray(value))
    return value.length === 0 ? t('empty') : value.map((one: unknown) => valueText(field, one, t)).join('\n')
  return Object.entries(value)
    .map(([name, one]) => `${fieldText(name)}: ${valueText(name, one, t).replaceAll('\n', ', ')}`)
    .join('\n')
}

/** Ids have no thousands separators. */
const numberText = (field: string, value: number): string =>
  field.endsWith('Id') || field.endsWith('Ids') ? String(value) : formatNumber(value)

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
    return role === undefined
      ? ''
      : `${fieldText(role.Field)}: ${valueText(role.Field, role.After ?? role.Before, t)}`
  }
  const { Field, Before, After } = first
  if (updates.length === 1 && isShort(Before) && isShort(After))
    return `${fieldText(Field)}: ${valueText(Field, Before, t)} → ${valueText(Field, After, t)}`
  const fields = updates.slice(0, shownFields).map((change) => fieldText(change.Field))
  const left = updates.length - fields.length
  return `${fields.join(', ')}${left > 0 ? ` ${t('more', { count: left })}` : ''}`
}
