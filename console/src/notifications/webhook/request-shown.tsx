import { Code, ScrollArea, Stack, Table, Text } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'

const prettyJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

export const RequestShown = ({
  path,
  headers,
  body,
}: {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}) => {
  const t = useTexts('notifications.requestShown')
  return (
    <Stack gap="xs">
      <Code block style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-all' }}>
        {`POST ${path}`}
      </Code>
      <Table.ScrollContainer minWidth={320}>
        <Table aria-label={t('headers')} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('name')}</Table.Th>
              <Table.Th>{t('value')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {Object.entries(headers).map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Td ff="monospace" fz="sm" style={{ whiteSpace: 'nowrap' }}>
                  {name}
                </Table.Td>
                <Table.Td ff="monospace" fz="sm" style={{ wordBreak: 'break-all' }}>
                  {value}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="sm" fw={500}>
        {t('body')}
      </Text>
      <ScrollArea.Autosize mah={384} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('body') }}>
        <Code block>{prettyJson(body)}</Code>
      </ScrollArea.Autosize>
    </Stack>
  )
}
