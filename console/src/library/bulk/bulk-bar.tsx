import { Button, CloseButton, Group, Menu, Paper, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconArrowBackUp,
  IconChevronDown,
  IconFolderSymlink,
  IconRefresh,
  IconTags,
  IconTrash,
} from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { formatNumber } from '../../ui/format.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { restoreFile, retryFile } from './bulk-acts.ts'
import { OrganizeDialog, type OrganizeKind } from './organize-dialog.tsx'
import { ReleaseButtons } from './release-buttons.tsx'
import type { LibraryActs } from './use-library-acts.ts'
import type { Selection } from '../use-selection.ts'

const organizeKinds: readonly OrganizeKind[] = ['move', 'addCategory', 'addTags', 'removeTags']

export const BulkBar = ({
  projectId,
  selection,
  acts: { count, run, remove },
  total,
  onMove,
  isTrash,
  offersAll,
}: {
  readonly projectId: number
  readonly selection: Selection
  readonly acts: LibraryActs
  readonly total: number
  readonly onMove: () => void
  readonly isTrash: boolean
  /** Whether more files match than this page shows, and all files of the page are selected. */
  readonly offersAll: boolean
}) => {
  const t = useTexts('library.bulkBar')
  const library = useTexts('library.screen')
  const can = useCan(projectId)
  const [organizing, setOrganizing] = useState<OrganizeKind | null>(null)
  const [isAsking, { open, close }] = useDisclosure()
  const bar = useRef<HTMLElement>(null)
  useReturnFocus(count > 0, bar)

  if (count === 0) return null
  return (
    <>
      <Paper
        ref={bar}
        withBorder
        shadow="sm"
        p="xs"
        className="library-bulk-bar"
        component="section"
        aria-label={t('label')}
      >
        <Group gap="xs">
          <CloseButton aria-label={library('unselect')} onClick={selection.clear} />
          <Text size="sm" fw={600} role="status">
            {library('selected', { count })}
          </Text>
          {offersAll && !selection.isAll && (
            <Button size="compact-sm" variant="default" onClick={selection.chooseAll}>
              {library('selectAll', { all: formatNumber(total) })}
            </Button>
          )}
          <Group gap="xs">
            {isTrash && can('files:delete') && (
              <Button
                size="xs"
                leftSection={<IconArrowBackUp size={16} aria-hidden />}
                onClick={() =>
                  run(restoreFile, {
                    doing: t('restoring'),
                    said: (done) => t('restored', { count: done }),
                  })
                }
              >
                {t('restore')}
              </Button>
            )}
            {!isTrash && can('files:publish') && <ReleaseButtons run={run} />}
            {!isTrash && can('files:write') && (
              <>
                <Menu>
                  <Menu.Target>
                    <Button
                      size="xs"
                      variant="default"
                      leftSection={<IconTags size={16} aria-hidden />}
                      rightSection={<IconChevronDown size={14} aria-hidden />}
                    >
                      {t('organize')}
                    </Button>
                  </Menu.Target>
                  <Menu.Dropdown>
                    {organizeKinds.map((kind) => (
                      <Menu.Item key={kind} onClick={() => setOrganizing(kind)}>
                        {t(kind)}
                      </Menu.Item>
                    ))}
                  </Menu.Dropdown>
                </Menu>
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconRefresh size={16} aria-hidden />}
                  onClick={() =>
                    run(retryFile, {
                      doing: t('retrying'),
                      said: (done) => t('retried', { count: done }),
                    })
                  }
                >
                  {t('retry')}
                </Button>
              </>
            )}
            {!isTrash && can('files:delete') && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconFolderSymlink size={16} aria-hidden />}
                onClick={onMove}
              >
                {t('moveToProject')}
              </Button>
            )}
            {!isTrash && can('files:delete') && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => (selection.isAll ? open() : remove())}
              >
                {t('delete')}
              </Button>
            )}
          </Group>
        </Group>
      </Paper>
      <OrganizeDialog
        kind={organizing}
        onClose={() => setOrganizing(null)}
        onAct={(act) => run(act, { doing: t('organizing'), said: (done) => t('organized', { count: done }) })}
      />
      <Confirm
        isOpen={isAsking}
        onClose={close}
        title={t('deleteTitle')}
        text={t('deleteText', { all: formatNumber(total) })}
        action={t('delete')}
        onConfirm={async () => remove()}
      />
    </>
  )
}
