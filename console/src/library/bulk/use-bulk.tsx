import { Button, List, Progress, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { MediaFile } from '@zoetrope/sdk'
import { problemText } from '../../shell/problem-text.ts'
import { queryClient, queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { formatNumber } from '../../ui/format.ts'
import type { BulkAct } from './bulk-acts.ts'
import { runBulk, type Undo } from './bulk.ts'

/** Long enough to read, and to reach by keyboard. */
const shownMs = 20_000
/** More would not fit. The list shows the rest. */
const maxFailures = 5

export interface Bulk {
  readonly projectId: number
  readonly files: Iterable<MediaFile> | AsyncIterable<MediaFile>
  readonly total: number
  readonly act: BulkAct
  /** Action in progress: "Publishing". */
  readonly doing: string
  readonly said: (count: number) => string
}

const titleOf = ({ Metadata, Name }: MediaFile): string => Metadata.Title || Name

let nextId = 0

/** Starts a bulk action. A notification on every screen shows its progress and result. */
export const useBulk = (): ((bulk: Bulk) => Promise<void>) => {
  const t = useTexts('library.bulk')
  const problemWords = useTexts('ui.problem')

  const follow = async <T,>(
    id: string,
    doing: string,
    total: number,
    items: Iterable<T> | AsyncIterable<T>,
    act: (item: T) => Promise<Undo | null | undefined>,
  ) => {
    const controller = new AbortController()
    const show = (doneCount: number): void => {
      const shown = {
        id,
        autoClose: false as const,
        allowClose: false,
        message: (
          <Stack gap={6}>
            <Text size="sm">
              {doing}: {t('running', { done: formatNumber(doneCount), all: formatNumber(total) })}
            </Text>
            <Progress value={(100 * doneCount) / Math.max(1, total)} aria-label={t('progress')} />
            <Button size="compact-xs" variant="default" onClick={() => controller.abort()}>
              {t('stop')}
            </Button>
          </Stack>
        ),
      }
      if (doneCount === 0) notifications.show(shown)
      else notifications.update(shown)
    }
    show(0)
    let shownAt = performance.now()
    return runBulk(items, act, {
      signal: controller.signal,
      onProgress: ({ doneCount }) => {
        if (performance.now() - shownAt < 200) return
        shownAt = performance.now()
        show(doneCount)
      },
    })
  }

  const takeBack = async (projectId: number, undos: readonly Undo[]): Promise<void> => {
    nextId += 1
    const id = `bulk-${nextId}`
    const { failures } = await follow(id, t('undoing'), undos.length, undos, async (undo) => {
      await undo()
      return null
    })
    await queryClient.invalidateQueries({ queryKey: queryKeys.files(projectId) })
    const [first] = failures
    notifications.update({
      id,
      allowClose: true,
      autoClose: first === undefined ? 4_000 : false,
      message: first === undefined ? t('undone') : problemText(problemWords, first.error),
      ...(first === undefined ? {} : { color: 'red' }),
    })
  }

  return async ({ projectId, files, total, act, doing, said }) => {
    nextId += 1
    const id = `bulk-${nextId}`
    const { undos, changedCount, failures } = await follow(id, doing, total, files, act).catch(
      (error: unknown) => ({ undos: [], changedCount: 0, failures: [{ item: null, error }] }),
    )
    await queryClient.invalidateQueries({ queryKey: queryKeys.files(projectId) })
    const press = (): void => {
      notifications.hide(id)
      void takeBack(projectId, undos)
    }
    notifications.update({
      id,
      allowClose: true,
      autoClose: failures.length === 0 ? shownMs : false,
      ...(failures.length === 0 ? {} : { color: 'red' }),
      message: (
        <Stack gap={6} align="flex-start">
          {(changedCount > 0 || failures.length === 0) && (
            <Text size="sm">{changedCount === 0 ? t('unchanged') : said(changedCount)}</Text>
          )}
          {failures.length > 0 && (
            <>
              <Text size="sm">{t('failed', { count: failures.length })}</Text>
              <List size="sm">
                {failures.slice(0, maxFailures).map(({ item, error }) => (
                  <List.Item key={item?.Id ?? 0}>
                    {item !== null && `${titleOf(item)}: `}
                    {problemText(problemWords, error)}
                  </List.Item>
                ))}
              </List>
              {failures.length > maxFailures && (
                <Text size="sm">{t('more', { count: failures.length - maxFailures })}</Text>
              )}
            </>
          )}
          {undos.length > 0 && (
            <Button size="xs" variant="default" onClick={press}>
              {t('undo')}
            </Button>
          )}
        </Stack>
      ),
    })
  }
}
