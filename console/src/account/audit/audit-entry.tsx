import { Collapse, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronRight } from '@tabler/icons-react'
import { currentLanguage, useTexts } from '../../shell/texts.ts'
import { nameOf } from '../account-queries.ts'
import { actionText } from './audit-actions.ts'
import { AuditDetails } from './audit-details.tsx'
import { summaryOf, type Entry } from './audit-values.ts'

const timeOf = (instant: string): string =>
  new Intl.DateTimeFormat(currentLanguage(), { timeStyle: 'short' }).format(new Date(instant))

/** One act in one line. The line opens the values before and after. */
export const AuditEntry = ({
  entry,
  recordName,
}: {
  readonly entry: Entry
  /** Null = unknown. */
  readonly recordName: string | null
}) => {
  const t = useTexts('account.audit')
  const [isOpen, { toggle }] = useDisclosure()
  const { User, Address, ApiKeyId, Id } = entry
  const who = User === null ? t(Address === '' ? 'zoetrope' : 'signedOut') : nameOf(User) || String(User.Id)
  // A sign-in has no changed fields, but an address.
  const summary = summaryOf(entry.Changes, t) || (entry.Subject === 'Session' ? Address : '')
  return (
    <li className="audit-entry" data-open={isOpen}>
      <UnstyledButton
        className="audit-line"
        aria-expanded={isOpen}
        aria-controls={`audit-${Id}`}
        onClick={toggle}
      >
        <IconChevronRight size={16} aria-hidden className="audit-chevron" />
        <time dateTime={entry.OccurredAt}>{timeOf(entry.OccurredAt)}</time>
        <span className="audit-who">
          {who}
          {ApiKeyId !== null && <Text span size="xs" c="dimmed">{` ${t('byKey')}`}</Text>}
        </span>
        <span className="audit-what">{actionText(entry.Action)}</span>
        <span className="audit-summary" title={[recordName, summary].filter(Boolean).join(' ')}>
          {recordName !== null && <b>{recordName}</b>} {summary}
        </span>
      </UnstyledButton>
      <Collapse expanded={isOpen} id={`audit-${Id}`}>
        {isOpen && <AuditDetails entry={entry} recordName={recordName} />}
      </Collapse>
    </li>
  )
}
