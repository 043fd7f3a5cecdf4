import { Alert, Button, Group, Modal, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { messageText } from '../../shell/reason-text.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { FactsTable } from '../../ui/lists/facts-table.tsx'
import { formatTime } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { ConnectSteps } from './connect-steps.tsx'
import type { Provider } from './partner-queries.ts'
import type { Preset } from './presets.ts'
import { ProviderBenefits } from './provider-benefits.tsx'
import { ProviderCards } from './provider-cards.tsx'

const tones = { working: 'ok', unreachable: 'warning', broken: 'danger' } as const

export const ProviderSection = ({ provider }: { readonly provider: Provider | null }) => {
  const t = useTexts('account.partners')
  const mayWrite = useCan()('partners:write')
  const client = useQueryClient()
  const [isConnecting, connecting] = useDisclosure()
  const [chosen, setChosen] = useState<Preset>('custom')
  const [isDisconnecting, disconnecting] = useDisclosure()
  const reload = () => client.invalidateQueries({ queryKey: queryKeys.partners })
  const test = useMutation({
    mutationFn: () => zoetrope.partners.testIdentityProvider(),
    onSettled: reload,
  })
  return (
    <>
      <Modal
        opened={isConnecting}
        onClose={connecting.close}
        title={t(provider === null ? 'connectTitle' : 'change')}
        size="lg"
        closeOnClickOutside={false}
      >
        <ConnectSteps provider={provider} chosen={chosen} onClose={connecting.close} />
      </Modal>
      <Confirm
        isOpen={isDisconnecting}
        onClose={disconnecting.close}
        title={t('disconnectTitle')}
        text={t('disconnectText')}
        action={t('disconnect')}
        onConfirm={async () => {
          await zoetrope.partners.disconnectIdentityProvider()
          test.reset()
          await reload()
        }}
      />
      {provider === null ? (
        <>
          <ProviderBenefits />
          {mayWrite ? (
            <>
              <Title order={3} size="h5" mt="xs">
                {t('connect')}
              </Title>
              <ProviderCards
                onChoose={(preset) => {
                  setChosen(preset)
                  connecting.open()
                }}
              />
            </>
          ) : (
            <Text>{t('onlyWriters')}</Text>
          )}
        </>
      ) : (
        <ProviderFacts provider={provider} />
      )}
      <ProblemAlert error={test.error} />
      <div role="status">
        {test.data !== undefined && (
          <Alert variant="light" color={test.data.IsWorking ? 'green' : 'red'}>
            {test.data.IsWorking
              ? t('testGood')
              : t('testFailed', { step: t(`step-${test.data.FailedStep ?? 'discovery'}`) })}{' '}
            {!test.data.IsWorking && messageText(test.data.Message, test.data.Reason, test.data.Params)}
          </Alert>
        )}
      </div>
      {mayWrite && provider !== null && (
        <Group gap="xs">
          <Button loading={test.isPending} onClick={() => test.mutate()}>
            {t('test')}
          </Button>
          <Button variant="default" onClick={connecting.open}>
            {t('change')}
          </Button>
          <Button variant="subtle" color="red" onClick={disconnecting.open}>
            {t('disconnect')}
          </Button>
        </Group>
      )}
    </>
  )
}

const ProviderFacts = ({ provider }: { readonly provider: Provider }) => {
  const t = useTexts('account.partners')
  const { State, StateReason, StateErrorReason, StateErrorParams, StateSince } = provider
  const facts = [
    [t('issuer'), provider.Issuer],
    [t('clientId'), provider.ClientId],
    [t('authentication'), provider.Authentication],
    [t('scope'), provider.Scope],
    [t('audience'), provider.Audience],
    [t('tokenEndpoint'), provider.TokenEndpoint],
  ] as const
  return (
    <>
      <Group gap="xs">
        <Text fw={600}>{t(`preset-${provider.Preset}`)}</Text>
        <StatusBadge tone={tones[State]}>{t(State)}</StatusBadge>
        <Text size="sm" c="dimmed">
          {t('since', { when: formatTime(StateSince) })}
        </Text>
      </Group>
      {State !== 'working' && (
        <Alert
          color="red"
          variant="light"
          bg="var(--tone-danger-soft)"
          role="alert"
          icon={<IconAlertTriangle aria-hidden />}
          title={t('held')}
        >
          <span style={{ overflowWrap: 'anywhere' }}>
            {StateReason !== null && messageText(StateReason, StateErrorReason, StateErrorParams)}
          </span>
        </Alert>
      )}
      <FactsTable label={t('connection')} facts={facts} />
    </>
  )
}
