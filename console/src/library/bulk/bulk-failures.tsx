import { List, Text } from '@mantine/core'
import { ApiError, type MediaFile } from '@zoetrope/sdk'
import { problemText } from '../../shell/problem-text.ts'
import { useTexts } from '../../shell/texts.ts'
import { titleOf } from '../file-title.tsx'
import { ChangedMeanwhileError } from './bulk-acts.ts'

/** More would not fit. */
const maxShown = 5

export interface BulkFailure {
  /** Null when the list itself failed. */
  readonly item: MediaFile | null
  readonly error: unknown
}

const isChange = ({ error }: BulkFailure): boolean =>
  error instanceof ChangedMeanwhileError || (error instanceof ApiError && error.status === 412)

/** Names the files that a bulk action did not change, with the reason of each. */
export const BulkFailures = ({ failures }: { readonly failures: readonly BulkFailure[] }) => {
  const t = useTexts('library.bulk')
  const problemWords = useTexts('ui.problem')
  const changed = failures.filter(isChange)
  const failed = failures.filter((one) => !isChange(one))
  const lines = (some: readonly BulkFailure[], textOf: (failure: BulkFailure) => string) => (
    <>
      <List size="sm">
        {some.slice(0, maxShown).map((failure) => (
          <List.Item key={failure.item?.Id ?? 0}>{textOf(failure)}</List.Item>
        ))}
      </List>
      {some.length > maxShown && <Text size="sm">{t('more', { count: some.length - maxShown })}</Text>}
    </>
  )
  return (
    <>
      {changed.length > 0 && (
        <>
          <Text size="sm">{t('changed', { count: changed.length })}</Text>
          {lines(changed, ({ item }) => (item === null ? '' : titleOf(item)))}
        </>
      )}
      {failed.length > 0 && (
        <>
          <Text size="sm">{t('failed', { count: failed.length })}</Text>
          {lines(
            failed,
            ({ item, error }) =>
              `${item === null ? '' : `${titleOf(item)}: `}${problemText(problemWords, error)}`,
          )}
        </>
      )}
    </>
  )
}
