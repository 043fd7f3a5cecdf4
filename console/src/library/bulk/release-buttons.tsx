import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconWorld } from '@tabler/icons-react'
import { useTexts } from '../../shell/texts.ts'
import { release } from './bulk-acts.ts'
import type { LibraryActs } from './use-library-acts.ts'

const others = [
  ['unpublish', 'unpublishing', 'unpublished', 'unpublished'],
  ['draft', 'drafting', 'drafted', 'draft'],
] as const

/** Publishes the selected files with one click, and has the other release states in a menu. */
export const ReleaseButtons = ({ run }: Pick<LibraryActs, 'run'>) => {
  const t = useTexts('library.bulkBar')
  const publish = (): void =>
    run(release('published'), { doing: t('publishing'), said: (done) => t('published', { count: done }) })
  return (
    <Button.Group>
      <Button size="xs" variant="default" leftSection={<IconWorld size={16} aria-hidden />} onClick={publish}>
        {t('publish')}
      </Button>
      <Menu position="top-end">
        <Menu.Target>
          <Button size="xs" variant="default" px={8} aria-label={t('release')} title={t('release')}>
            <IconChevronDown size={14} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {others.map(([label, doing, said, status]) => (
            <Menu.Item
              key={label}
              onClick={() =>
                run(release(status), { doing: t(doing), said: (done) => t(said, { count: done }) })
              }
            >
              {t(label)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}
