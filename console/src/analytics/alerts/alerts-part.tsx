import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allProjects } from '../../projects/all-projects.ts'
import { zoetrope } from '../../shell/api.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { DataTable } from '../../ui/lists/data-table.tsx'
import { ListResults } from '../../ui/lists/list-results.tsx'
import { pageQuery } from '../../ui/lists/pager.tsx'
import type { TableColumn } from '../../ui/lists/table-columns.tsx'
import { useAddress } from '../../ui/lists/use-address.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { AlertForm } from './alert-form.tsx'
import { alertsQuery, reloadAlerts, type Alert } from './alert-queries.ts'
import { useAlertTexts } from './alert-texts.ts'

const limit = 50

type Act =
  | { readonly kind: 'edit'; readonly alert: Alert | null }
  | { readonly kind: 'delete'; readonly alert: Alert }

const useColumns = (mayWrite: boolean, onAct: (act: Act) => void): readonly TableColumn<Alert>[] => {
  const t = useTexts('analytics.alerts')
  const { conditionOf, nameOf, stateOf } = useAlertTexts()
  const { data: projects = [] } = useQuery(allProjects)
  const placeOf = ({ ProjectId, FileId }: Alert): string =>
    [
      ProjectId === null
        ? t('allProjects')
        : (projects.find(({ Id }) => Id === ProjectId)?.Name ?? String(ProjectId)),
      ...(FileId === null ? [] : [t('file', { id: FileId })]),
    ].join(' · ')
  return [
    { key: 'alert', header: t('alert'), wraps: true, cell: nameOf },
    { key: 'condition', header: t('condition'), wraps: true, cell: conditionOf },
    { key: 'place', header: t('place'), wraps: true, cell: placeOf },
    {
      ...{ key: 'state', header: t('state'), width: 190 },
      cell: (alert) => (
        <Group gap="xs" wrap="nowrap">
          <StatusBadge tone={!alert.IsEnabled ? 'neutral' : alert.State === 'firing' ? 'danger' : 'ok'}>
            {stateOf(alert)}
          </StatusBadge>
          {alert.State === 'firing' && (
            <Text size="xs" c="dimmed">
              <RelativeTime instant={alert.StateSince} />
            </Text>
          )}
        </Group>
      ),
    },
    ...(mayWrite
      ? [
          {
            ...{
              key: 'actions',
              header: t('actions'),
              isHeaderHidden: true,
              width: 200,
              align: 'end' as const,
            },
            cell: (alert: Alert) => (
              <Group gap="xs" wrap="nowrap" justify="flex-end">
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('editNamed', { name: nameOf(alert) })}
                  onClick={() => onAct({ kind: 'edit', alert })}
                >
                  {t('edit')}
                </Button>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('deleteNamed', { name: nameOf(alert) })}
                  onClick={() => onAct({ kind: 'delete', alert })}
                >
                  {t('delete')}
                </Button>
              </Group>
            ),
          },
        ]
      : []),
  ]
}

const Dialogs = ({
  act,
  projectId,
  onClose,
}: {
  readonly act: Act | null
  readonly projectId: string | undefined
  readonly onClose: () => void
}) => {
  const t = useTexts('analytics.alerts')
  const { nameOf } = useAlertTexts()
  // Keeps the alert while the closing animation runs.
  const [last, setLast] = useState(act)
  if (act !== null && act !== last) setLast(act)
  if (last === null) return null
  const { alert } = last
  const isOpen = act !== null
  if (last.kind === 'delete')
    return (
      <Confirm
        isOpen={isOpen}
        onClose={onClose}
        title={t('deleteNamed', { name: nameOf(last.alert) })}
        text={t('deleteText')}
        action={t('delete')}
        onConfirm={async () => {
          await zoetrope.analytics.deleteAlert(last.alert.Id)
          await reloadAlerts()
        }}
      />
    )
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={alert === null ? t('add') : t('editNamed', { name: nameOf(alert) })}
    >
      <AlertForm alert={alert} projectId={projectId} onClose={onClose} />
    </Modal>
  )
}

/** The rules that notify, and which of them fire. */
export const AlertsPart = ({ projectId }: { readonly projectId: string | undefined }) => {
  const t = useTexts('analytics.alerts')
  const mayWrite = useCan()('webhooks:write')
  const [address, go] = useAddress()
  const [act, setAct] = useState<Act | null>(null)
  const list = useQuery(
    alertsQuery({ ...pageQuery(address, limit), ...(projectId !== undefined && { projectId }) }),
  )
  const columns = useColumns(mayWrite, setAct)
  const table = (rows: readonly Alert[], isLoading: boolean) => (
    <DataTable
      id="analytics-alerts"
      label={t('title')}
      columns={columns}
      rows={rows}
      keyOf={({ Id }) => Id}
      isLoading={isLoading}
    />
  )
  return (
    <Stack>
      <Dialogs act={act} projectId={projectId} onClose={() => setAct(null)} />
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('explained')}
        </Text>
        {mayWrite && (
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setAct({ kind: 'edit', alert: null })}
          >
            {t('add')}
          </Button>
        )}
      </Group>
      <ListResults
        list={list}
        entriesOf={(page) => page.Alerts}
        place={address}
        limit={limit}
        onGo={go}
        skeleton={table([], true)}
        empty={<EmptyState title={t('none')}>{t('noneText')}</EmptyState>}
      >
        {(alerts) => table(alerts, false)}
      </ListResults>
    </Stack>
  )
}
