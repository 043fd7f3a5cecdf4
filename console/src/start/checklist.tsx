import { Accordion, Button, Group, Progress, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useState, type ComponentType } from 'react'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { Section } from '../ui/section.tsx'
import { EmbedStep } from './embed-step.tsx'
import { KeyStep } from './key-step.tsx'
import { stepNames, type StepName } from './kept-ticks.ts'
import { LiveStep } from './live-step.tsx'
import { PlayStep } from './play-step.tsx'
import { UploadStep } from './upload-step.tsx'
import { WebhookStep } from './webhook-step.tsx'

const screens: Readonly<Record<StepName, ComponentType>> = {
  play: PlayStep,
  embed: EmbedStep,
  upload: UploadStep,
  key: KeyStep,
  webhook: WebhookStep,
  live: LiveStep,
}

export const useOwnSteps = (): readonly StepName[] => {
  const can = useCan()
  const may: Readonly<Record<StepName, boolean>> = {
    play: true,
    embed: true,
    upload: can('files:upload'),
    key: can('keys:write'),
    webhook: can('webhooks:write'),
    live: can('live:keys'),
  }
  return stepNames.filter((name) => may[name])
}

export const Checklist = ({
  ticks,
  onHide,
}: {
  readonly ticks: readonly StepName[]
  readonly onHide: () => void
}) => {
  const t = useTexts('start.checklist')
  const steps = useOwnSteps()
  const done = steps.filter((name) => ticks.includes(name))
  // The open step stays open when it is completed.
  const [open, setOpen] = useState<string | null>(() => steps.find((name) => !ticks.includes(name)) ?? null)
  const said = t('progress', { done: done.length, all: steps.length })
  return (
    <Section
      title={t('title')}
      actions={
        <Button variant="subtle" size="compact-md" onClick={onHide}>
          {t('hide')}
        </Button>
      }
    >
      <Stack gap={4}>
        <Progress value={(100 * done.length) / steps.length} color="green" aria-label={said} />
        <Text size="sm" role="status">
          {said}
        </Text>
      </Stack>
      <Accordion value={open} onChange={setOpen} order={3} keepMounted={false}>
        {steps.map((name) => {
          const Step = screens[name]
          const isDone = ticks.includes(name)
          return (
            <Accordion.Item key={name} value={name}>
              <Accordion.Control
                icon={
                  isDone ? (
                    <IconCircleCheckFilled color="var(--mantine-color-green-6)" aria-hidden />
                  ) : (
                    <IconCircle aria-hidden />
                  )
                }
              >
                <Group gap={4}>
                  {t(name)}
                  {isDone && <VisuallyHidden>{`(${t('done')})`}</VisuallyHidden>}
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <Step />
              </Accordion.Panel>
            </Accordion.Item>
          )
        })}
      </Accordion>
    </Section>
  )
}
