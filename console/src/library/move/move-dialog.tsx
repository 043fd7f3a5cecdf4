import { Alert, Modal, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Project } from '@zoetrope/sdk'
import { allProjects } from '../../projects/all-projects.ts'
import { useTexts } from '../../shell/texts.ts'
import { DialogForm } from '../../ui/forms/dialog-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { useMoveTargets } from './move-targets.ts'
import { useMove, type FilesToMove } from './use-move.ts'

/** Chooses the project that files move to. */
export const MoveDialog = ({
  what,
  onClose,
  onMoved,
}: {
  /** Null = closed. */
  readonly what: FilesToMove | null
  readonly onClose: () => void
  readonly onMoved?: () => void
}) => {
  const t = useTexts('library.move')
  return (
    <Modal
      opened={what !== null}
      onClose={onClose}
      title={what === null ? '' : t('title', { count: what.total })}
    >
      {what !== null && <MoveForm what={what} onClose={onClose} onMoved={onMoved} />}
    </Modal>
  )
}

/** Names a difference between the projects that viewers notice. */
const Warning = ({ source, target }: { readonly source: Project | undefined; readonly target: Project }) => {
  const t = useTexts('library.move')
  if (source === undefined || source.TokenSecurity === target.TokenSecurity) return null
  const name = target.Name
  return (
    <Alert color="yellow">
      {target.TokenSecurity ? t('needsSignature', { name }) : t('needsNoSignature', { name })}
    </Alert>
  )
}

const MoveForm = ({
  what,
  onClose,
  onMoved,
}: {
  readonly what: FilesToMove
  readonly onClose: () => void
  readonly onMoved: (() => void) | undefined
}) => {
  const t = useTexts('library.move')
  const move = useMove()
  const targets = useMoveTargets(what.projectId)
  const { data: projects = [] } = useQuery(allProjects)
  const targetOf = (id: string | null) => targets.find(({ Id }) => String(Id) === id)
  const form = useSaveForm({
    initialValues: { projectId: null as string | null },
    save: async ({ projectId }) => {
      const target = targetOf(projectId)
      if (target !== undefined) void move(what, target)
    },
    onSaved: () => {
      onClose()
      onMoved?.()
    },
  })
  const target = targetOf(form.values.projectId)
  return (
    <DialogForm form={form} action={t('move')} onCancel={onClose} isReady={target !== undefined}>
      <Text size="sm">{t('explained')}</Text>
      <Select
        label={t('project')}
        searchable
        required
        data-autofocus
        nothingFoundMessage={t('none')}
        data={targets.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
        {...form.getInputProps('projectId')}
      />
      {target !== undefined && (
        <Warning source={projects.find(({ Id }) => Id === what.projectId)} target={target} />
      )}
    </DialogForm>
  )
}
