import { Button, Collapse, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTexts } from '../../shell/texts.ts'

/** The values of a chart as a table, which opens below it. */
export const ChartTable = ({
  actions,
  children,
}: {
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => {
  const t = useTexts('ui.chartTable')
  const [isShown, { toggle }] = useDisclosure()
  return (
    <>
      <Group gap="xs" ml="-0.5rem">
        <Button size="compact-sm" variant="subtle" aria-expanded={isShown} onClick={toggle}>
          {t(isShown ? 'hide' : 'show')}
        </Button>
        {actions}
      </Group>
      <Collapse expanded={isShown}>{isShown && children}</Collapse>
    </>
  )
}
