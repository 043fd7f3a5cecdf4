import { Button, Progress, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { MediaFile } from '@zoetrope/sdk'
import { queryClient, queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { formatNumber } from '../../ui/format.ts'
import type { BulkAct } from './bulk-acts.ts'
import { BulkFailures } from './bulk-failures.tsx'
import { runBulk, type BulkResult, type Undo } from './bulk.ts'

/** Long enough to read, and to reach by keyboard. */
const shownMs = 20_000

export interface Bulk {
  readonly projectId: number
  /** Project that the files move to. */
  readonly targetId?: number
  readonly files: Iterable<MediaFile> | AsyncIterable<MediaFile>
  readonly total: number
  readonly act: BulkAct
  /** Action in progress: "Publishing". */
  readonly doing: string
  readonly said: (count: number) => string
}

const refresh = async (projectIds: readonly (number | undefined)[]): Promise<void> => {
  for (const projectId of projectIds)
    if (projectId !== undefined) await queryClient.invalidateQueries({ queryKey: queryKeys.files(projectId) })
}

let nextId = 0

/** Starts a bulk action. A notification on every screen shows its progress and result. */
export const useBulk = (): ((bulk: Bulk) => Promise<void>) => {
  const t = useTexts('library.bulk')

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

  const takeBack = async (
    projectIds: readonly (number | undefined)[],
    undos: BulkResult<MediaFile>['undos'],
  ): Promise<void> => {
    nextId += 1
    const id = `bulk-${nextId}`
    const { failures } = await follow(id, t('undoing'), undos.length, undos, async ({ undo }) => {
      await undo()
      return null
    })
    await refresh(projectIds)
    const isDone = failures.length === 0
    notifications.update({
      id,
      allowClose: true,
      autoClose: isDone ? 4_000 : false,
      message: isDone ? (
        t('undone')
      ) : (
        <BulkFailures failures={failures.map(({ item: { item }, error }) => ({ item, error }))} />
      ),
      ...(isDone ? {} : { color: 'red' }),
    })
  }

  return async ({ projectId, targetId, files, total, act, doing, said }) => {
    nextId += 1
    const id = `bulk-${nextId}`
    const { undos, changedCount, failures } = await follow(id, doing, total, files, act).catch(
      (error: unknown) => ({ undos: [], changedCount: 0, failures: [{ item: null, error }] }),
    )
    await refresh([projectId, targetId])
    const press = (): void => {
      notifications.hide(id)
      void takeBack([projectId, targetId], undos)
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
          <BulkFailures failures={failures} />
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
