import { Anchor, Table } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { currentLanguage, useTexts } from '../shell/texts.ts'
import { ListResults } from '../ui/lists/list-results.tsx'
import { pageQuery } from '../ui/lists/pager.tsx'
import { formatBytes, formatNumber } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import { useAddress } from '../ui/lists/use-address.ts'
import { WideTable } from '../ui/lists/wide-table.tsx'

const limit = 20

export const UsageOfProjects = () => {
  const t = useTexts('usage.screen')
  const [address, go] = useAddress()
  const query = pageQuery(address, limit)
  const list = useQuery({
    queryKey: [...queryKeys.usage, 'projects', query],
    queryFn: async ({ signal }) => zoetrope.usage.listProjects(query, { signal }),
    placeholderData: keepPreviousData,
  })
  const quotaOf = (used: number, quota: number | null): string => {
    if (quota === null) return t('noQuota')
    const share = quota === 0 ? 1 : used / quota
    const percent = new Intl.NumberFormat(currentLanguage(), { style: 'percent' }).format(share)
    return t('ofQuota', { percent, quota: formatBytes(quota) })
  }
  return (
    <Section title={t('byProject')}>
      <ListResults list={list} entriesOf={(page) => page.Projects} place={address} limit={limit} onGo={go}>
        {(entries) => (
          <WideTable
            label={t('byProject')}
            heads={[t('name'), t('storage'), t('sources'), t('renditions'), t('videos'), t('quota')]}
            minWidth={700}
          >
            {entries.map((each) => (
              <Table.Tr key={each.ProjectId}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Anchor
                    renderRoot={(props) => (
                      <Link
                        {...props}
                        to="/projects/$projectId/files"
                        params={{ projectId: each.ProjectId }}
                      />
                    )}
                  >
                    {each.Name}
                  </Anchor>
                </Table.Td>
                <Table.Td>{formatBytes(each.StorageBytes)}</Table.Td>
                <Table.Td>{formatBytes(each.SourceBytes)}</Table.Td>
                <Table.Td>{formatBytes(each.RenditionBytes)}</Table.Td>
                <Table.Td>{formatNumber(each.FileCount)}</Table.Td>
                <Table.Td>{quotaOf(each.StorageBytes, each.StorageQuotaBytes)}</Table.Td>
              </Table.Tr>
            ))}
          </WideTable>
        )}
      </ListResults>
    </Section>
  )
}
