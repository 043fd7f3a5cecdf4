import { Table } from '@mantine/core'

/** A table of labels and values. Leaves out facts that are null. */
export const FactsTable = ({
  label,
  facts,
}: {
  readonly label: string
  readonly facts: readonly (readonly [label: string, value: string | null])[]
}) => (
  <Table variant="vertical" withRowBorders={false} verticalSpacing={4} aria-label={label}>
    <Table.Tbody>
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <Table.Tr key={name}>
              <Table.Th scope="row" w="35%" c="dimmed" fw={400} bg="transparent" ps={0}>
                {name}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ),
      )}
    </Table.Tbody>
  </Table>
)
