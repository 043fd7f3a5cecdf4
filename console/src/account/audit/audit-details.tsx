import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../shell/texts.ts'
import { recordText, subjectText } from './audit-actions.ts'
import { useAddress } from '../../ui/lists/use-address.ts'
import { fieldText, valueText, type Change, type Entry } from './audit-values.ts'

const ChangeShown = ({ change }: { readonly change: Change }) => {
  const t = useTexts('account.audit')
  const { Field, Before, After, Added = [], Removed = [] } = change
  const removed = Before === undefined ? Removed : [Before]
  const added = After === undefined ? Added : [After]
  return (
    <div className="audit-change">
      <dt title={Field}>{fieldText(Field)}</dt>
      <dd>
        {removed.map((value, place) => (
          <del key={place}>{valueText(Field, value, t)}</del>
        ))}
        {removed.length === 0 && added.length > 0 && <span className="audit-nothing">–</span>}
      </dd>
      <dd>
        {added.map((value, place) => (
          <ins key={place}>{valueText(Field, value, t)}</ins>
        ))}
        {added.length === 0 && <span className="audit-nothing">–</span>}
      </dd>
    </div>
  )
}

const Fact = ({ label, children }: { readonly label: string; readonly children: string }) => (
  <Text size="xs" c="dimmed" component="span" style={{ overflowWrap: 'anywhere' }}>
    {label}{' '}
    <Text span c="var(--text)">
      {children}
    </Text>
  </Text>
)

/** The screen of a record. Null = it has none of its own. */
const screenOf = ({ Subject, SubjectId, Action }: Entry): string | null => {
  if (Action.endsWith('.deleted')) return null
  if (Subject === 'Project') return `/projects/${SubjectId}/settings`
  if (Subject === 'Live') return `/projects/${SubjectId}/live`
  if (Subject === 'Webhook') return `/notifications/${SubjectId}`
  return null
}

/** Every field before and after, and where the act came from. */
export const AuditDetails = ({
  entry,
  recordName,
}: {
  readonly entry: Entry
  readonly recordName: string | null
}) => {
  const t = useTexts('account.audit')
  const [, go] = useAddress()
  const { Subject, SubjectId, Address, ApiKeyId, RequestId, Changes } = entry
  const screen = screenOf(entry)
  return (
    <div className="audit-details">
      {Changes.length > 0 && (
        <dl className="audit-changes">
          <div className="audit-change audit-heads" aria-hidden>
            <span>{t('field')}</span>
            <span>{t('before')}</span>
            <span>{t('after')}</span>
          </div>
          {Changes.map((change) => (
            <ChangeShown key={change.Field} change={change} />
          ))}
        </dl>
      )}
      <div className="audit-facts">
        <Fact label={t('record')}>{recordText(entry)}</Fact>
        {Address !== '' && <Fact label={t('address')}>{Address}</Fact>}
        {ApiKeyId !== null && <Fact label={t('key')}>{ApiKeyId}</Fact>}
        {RequestId !== '' && <Fact label={t('requestId')}>{RequestId}</Fact>}
      </div>
      <div className="audit-facts">
        {screen !== null && (
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to={screen} />}>
            {t('open', { name: recordName ?? subjectText(Subject) })}
          </Anchor>
        )}
        {SubjectId !== '' && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => go({ subject: Subject, subjectId: SubjectId, action: undefined })}
          >
            {t('ofRecord')}
          </Anchor>
        )}
        {RequestId !== '' && (
          <Anchor component="button" type="button" size="sm" onClick={() => go({ requestId: RequestId })}>
            {t('ofRequest')}
          </Anchor>
        )}
      </div>
    </div>
  )
}
