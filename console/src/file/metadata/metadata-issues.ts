import type { Project } from '@zoetrope/sdk'
import { fieldErrors } from '../../ui/field-errors.ts'
import { customField, otherFields, parseOthers, type Edits, type Fields } from './metadata-edits.ts'

export type IssueKey = 'required' | 'windowOrder' | 'noJson' | 'noWhole'

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const isNotAfter = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' && typeof b === 'string' && Date.parse(a) <= Date.parse(b)

/** What can be known before the server is asked; it says the rest. */
export const issuesOf = (
  fields: Fields,
  edits: Edits,
  metadataFields: Project['MetadataFields'],
): Readonly<Record<string, IssueKey>> => {
  const valueOf = (name: string): unknown => (name in edits ? edits[name]?.value : fields[name])
  const issues: Record<string, IssueKey> = {}
  const isCustomEdited = Object.keys(edits).some((name) => name.includes('CustomMetadata'))
  for (const { Name, IsRequired, Type, Default } of metadataFields) {
    const name = customField(Name)
    const value = valueOf(name)
    // Who writes none of them owes none of them.
    if (isCustomEdited && IsRequired === true && Default == null && isEmpty(value)) issues[name] = 'required'
    else if (Type === 'integer' && typeof value === 'number' && !Number.isSafeInteger(value))
      issues[name] = 'noWhole'
  }
  if (isNotAfter(valueOf('IsPublicUntil'), valueOf('IsPublicAt'))) issues['IsPublicUntil'] = 'windowOrder'
  if (parseOthers(valueOf(otherFields)) === null) issues[otherFields] = 'noJson'
  return issues
}

/** What the server said about a field; its names are those of the body. */
export const serverIssues = (error: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([field, issue]) => [
      // Of lists it names the item.
      field.replace(/^Metadata\./, '').replace(/^(?!CustomMetadata)(\w+)[.[].*$/, '$1'),
      issue,
    ]),
  )
