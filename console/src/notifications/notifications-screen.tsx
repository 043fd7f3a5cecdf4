import './notifications.css'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { allProjects } from '../projects/all-projects.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ListSkeleton } from '../ui/lists/list-skeleton.tsx'
import { ListResults } from '../ui/lists/list-results.tsx'
import { pageQuery } from '../ui/lists/pager.tsx'
import { Screen } from '../ui/screen.tsx'
import { useAddress } from '../ui/lists/use-address.ts'
import { CreateWebhook } from './create-webhook.tsx'
import { webhooksQuery } from './webhook-queries.ts'
import { WebhookRow } from './webhook-row.tsx'

const limit = 20

export const NotificationsScreen = () => {
  const t = useTexts('notifications.screen')
  const can = useCan()
  const [address, go] = useAddress()
  const [isCreating, { open, close }] = useDisclosure()
  const list = useQuery(webhooksQuery(pageQuery(address, limit)))
  const { data: projects = [] } = useQuery(allProjects)
  const create = can('webhooks:write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {t('create')}
    </Button>
  )
  return (
    <Screen title={t('title')} description={t('about')} actions={create}>
      <ListResults
        list={list}
        entriesOf={(page) => page.Webhooks}
        place={address}
        limit={limit}
        onGo={go}
        empty={
          <EmptyState picture="signal" title={t('empty')} action={create}>
            {t('none')}
          </EmptyState>
        }
        skeleton={<ListSkeleton rows={4} rowHeight={72} />}
      >
        {(entries) => (
          <div className="webhook-list">
            <div className="webhook-row webhook-heads" aria-hidden>
              <span>{t('endpoint')}</span>
              <span>{t('last48')}</span>
              <span>{t('rate')}</span>
              <span>{t('lastSuccessHead')}</span>
            </div>
            <ul aria-label={t('webhooks')}>
              {entries.map((webhook) => (
                <WebhookRow
                  key={webhook.Id}
                  webhook={webhook}
                  projectName={projects.find((one) => one.Id === webhook.ProjectId)?.Name ?? t('allProjects')}
                />
              ))}
            </ul>
          </div>
        )}
      </ListResults>
      <CreateWebhook isOpen={isCreating} onClose={close} />
    </Screen>
  )
}
