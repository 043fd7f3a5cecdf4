import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

/** A table that scrolls inside its own box on narrow screens, also by keyboard. */
export const WideTable = ({
  label,
  heads,
  minWidth = 640,
  children,
}: {
  readonly label: string
  readonly heads: readonly string[]
  readonly minWidth?: number
  readonly children: ReactNode
}) => (
  <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
    <Table aria-label={label} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          {heads.map((head) => (
            <Table.Th key={head}>{head}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)
