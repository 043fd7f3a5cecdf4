import { Button, FileButton, Group, NumberInput, Select, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { NotFoundError } from '@zoetrope/sdk'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { asPicture } from '../ui/forms/as-picture.ts'
import { ConflictDialog, ConflictNotice } from '../ui/forms/record/conflict-dialog.tsx'
import { useRecordForm } from '../ui/forms/record/use-record-form.ts'
import { UnsavedChanges } from '../ui/forms/unsaved-changes.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { useToasts } from '../ui/toasts.tsx'

type Watermark = Awaited<ReturnType<typeof zoetrope.projects.getWatermark>>

const positions = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const

const watermarkQuery = (projectId: number) =>
  queryOptions({
    queryKey: [...queryKeys.project(projectId), 'watermark'],
    /** Null = the project has no watermark. */
    queryFn: async ({ signal }): Promise<Watermark | null> => {
      try {
        return await zoetrope.projects.getWatermark(projectId, { signal })
      } catch (error) {
        if (error instanceof NotFoundError) return null
        throw error
      }
    },
    // The client stores the ETag by object identity.
    structuralSharing: false,
  })

/** Number inputs hold text while the value is incomplete. */
type Values = Pick<Watermark, 'Position'> & Readonly<Record<'Opacity' | 'Width', number | string>>

const labels = { Position: 'position', Opacity: 'opacity', Width: 'width' } as const satisfies Record<
  keyof Values,
  string
>

const useWatermarkForm = (projectId: number, watermark: Watermark) => {
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const { queryKey } = watermarkQuery(projectId)
  return useRecordForm({
    record: watermark,
    valuesOf: ({ Position, Opacity, Width }): Values => ({ Position, Opacity, Width }),
    reload: async () => {
      try {
        const found = await zoetrope.projects.getWatermark(projectId)
        queryClient.setQueryData(queryKey, found)
        return found
      } catch (error) {
        // The form disappears with the watermark that another user has removed.
        if (error instanceof NotFoundError) {
          queryClient.setQueryData(queryKey, null)
          toasts.failed(error)
        }
        throw error
      }
    },
    update: ({ changed: { Position, Opacity, Width } }, options) =>
      zoetrope.projects.updateWatermark(
        projectId,
        {
          ...(Position !== undefined && { Position }),
          ...(Opacity !== undefined && { Opacity: Number(Opacity) }),
          ...(Width !== undefined && { Width: Number(Width) }),
        },
        options,
      ),
    store: (saved) => queryClient.setQueryData(queryKey, saved),
  })
}

const Drawn = ({
  projectId,
  watermark,
  hasOtherEdits,
}: {
  readonly projectId: number
  readonly watermark: Watermark
  readonly hasOtherEdits: boolean
}) => {
  const t = useTexts('projects.watermark')
  const form = useWatermarkForm(projectId, watermark)
  const isEdited = Object.keys(form.edits).length > 0
  const limits = { w: 160, required: true, min: 1, max: 100, allowDecimal: false } as const
  return (
    <form onSubmit={form.submit}>
      <Stack gap="xs">
        <Group align="flex-end">
          <Select
            label={t('position')}
            w={160}
            allowDeselect={false}
            data={positions.map((value) => ({ value, label: t(value) }))}
            {...form.getInputProps('Position')}
          />
          <NumberInput label={t('opacity')} {...limits} {...form.getInputProps('Opacity')} />
          <NumberInput label={t('width')} {...limits} {...form.getInputProps('Width')} />
          <Button type="submit" variant="default" loading={form.isSaving} disabled={!isEdited}>
            {t('save')}
          </Button>
        </Group>
        <ProblemAlert error={form.problem} />
        <ConflictNotice form={form} />
      </Stack>
      {/* The save bar asks about all other edits. */}
      <UnsavedChanges isDirty={isEdited && !hasOtherEdits} />
      <ConflictDialog
        form={form}
        labelOf={(name) => t(labels[name as keyof Values])}
        renderValue={(name, value) => (name === 'Position' ? t(value as Values['Position']) : String(value))}
      />
    </form>
  )
}

export const WatermarkFields = ({
  projectId,
  hasOtherEdits,
}: {
  readonly projectId: number
  readonly hasOtherEdits: boolean
}) => {
  const t = useTexts('projects.watermark')
  const queryClient = useQueryClient()
  const { queryKey } = watermarkQuery(projectId)
  const [isRemoving, { open, close }] = useDisclosure()
  const watermark = useQuery(watermarkQuery(projectId))
  const save = useMutation({
    mutationFn: (picture: File) => zoetrope.projects.updateWatermark(projectId, asPicture(picture)),
    onSuccess: (saved) => queryClient.setQueryData(queryKey, saved),
  })
  const { data } = watermark
  return (
    <>
      <ProblemAlert error={watermark.error ?? save.error} />
      <Group align="flex-end">
        {data != null && (
          <div className="watermark-picture">
            <img src={data.Picture} alt={t('picture')} />
          </div>
        )}
        <Stack gap="xs">
          <FileButton accept="image/png" onChange={(file) => file !== null && save.mutate(file)}>
            {(props) => (
              <Button {...props} variant="default" loading={save.isPending}>
                {data == null ? t('choose') : t('replace')}
              </Button>
            )}
          </FileButton>
          {data != null && (
            <Button variant="default" onClick={open}>
              {t('remove')}
            </Button>
          )}
        </Stack>
      </Group>
      {data != null && <Drawn projectId={projectId} watermark={data} hasOtherEdits={hasOtherEdits} />}
      <Confirm
        isOpen={isRemoving}
        onClose={close}
        title={t('removeTitle')}
        text={t('removeText')}
        action={t('remove')}
        onConfirm={async () => {
          await zoetrope.projects.deleteWatermark(projectId)
          queryClient.setQueryData(queryKey, null)
        }}
      />
    </>
  )
}
