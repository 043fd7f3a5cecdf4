import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { responses, tags } from '../../platform/http/openapi/openapi.ts'
import { idSchema, nullable } from '../../platform/http/requests/schemas.ts'
import { checkNamedProject } from '../projects/check-named-project.ts'
import { readElements } from './playlist-elements.ts'
import { elementRecord, elementSchema, totalFields, totalsRecord } from './playlist-record.ts'
import type { PlaylistRouteDependencies } from './playlist-routes.ts'
import { totalsOf } from './playlist-row.ts'
import { applyRules, rulesWriteSchema } from './rules/playlist-rules.ts'
import { checkMayWrite } from './playlist-write.ts'

const bodySchema = Type.Object(
  {
    ProjectId: Type.Optional(
      nullable({ ...idSchema, description: 'Project whose files to select. Null means every project.' }),
    ),
    Rules: Type.Optional(rulesWriteSchema),
  },
  {
    description: 'Rules of an automatic playlist to preview.',
    examples: [
      { ProjectId: 3, Rules: { Conditions: [{ Field: 'Tags', Operator: 'contains', Value: 'news' }] } },
    ],
  },
)

const answerSchema = Type.Object({ ...totalFields, Elements: Type.Array(elementSchema) })

export const registerRulesPreviewRoutes = (
  app: HttpServer,
  { database, publicUrl }: Pick<PlaylistRouteDependencies, 'database' | 'publicUrl'>,
): void => {
  app.post(
    '/modules/playlists/rules/preview',
    {
      // Needs the write permission: a reader may see the files of existing playlists, but not those of
      // arbitrary rules.
      config: { permission: 'playlists:write', isProjectInRecord: true },
      schema: {
        operationId: 'previewPlaylist',
        tags: [tags.playlists],
        summary: 'Preview the rules of a playlist',
        description:
          'Returns the elements that an automatic playlist with these `Rules` would have now. Nothing is stored.',
        body: bodySchema,
        response: responses({ status: 200, schema: answerSchema, description: 'The selected elements.' }),
      },
    },
    async (request) => {
      const { principal } = request
      const { ProjectId = null, Rules = {} } = request.body
      const { accountId, projectIds } = principal
      await checkNamedProject(database.kysely, { accountId, projectIds }, ProjectId)
      checkMayWrite(principal, ProjectId)
      const source = {
        account_id: accountId,
        project_id: ProjectId,
        type: 'automatic' as const,
        rules: applyRules(null, Rules),
        element_file_ids: [],
      }
      const elements = await readElements(database.kysely, source, 'makers')
      return {
        ...totalsRecord(totalsOf(elements)),
        Elements: elements.map((element, index) => elementRecord(element, index, publicUrl)),
      }
    },
  )
}
