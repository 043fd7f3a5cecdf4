import type { SwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { statusOf, type ProblemCode, type ProtocolStatus } from '../../base/problem.ts'
import { messageParamSchema } from './message-schema.ts'
import { completeDocument } from './openapi-document.ts'
import { errorDescriptions } from './openapi-errors.ts'

export const problemParamsSchema = (description: string) =>
  Type.Record(Type.String(), messageParamSchema, {
    description,
    examples: [{ fileId: 5, projectId: 3 }],
  })

export const errorSchema = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.' }),
        message: Type.String({ description: 'What is wrong and how to fix it.' }),
        type: Type.Unsafe<ProblemCode>({
          type: 'string',
          enum: Object.keys(statusOf),
          description: 'Stable error code for programs.',
        }),
        reason: Type.String({
          description: 'What is wrong, as a name from a closed set. The message is its English text.',
          examples: ['file_not_found_in_project'],
        }),
        params: problemParamsSchema('Values in the message, by name.'),
        details: Type.Optional(
          Type.Array(
            Type.Object({
              field: Type.String({ description: 'Name or path of the field, such as `Metadata.Title`.' }),
              issue: Type.String({ description: 'What is wrong with the field.' }),
              reason: Type.String({
                description: 'What is wrong with the field, as a name from the set of `reason`.',
                examples: ['too_many_characters'],
              }),
              params: problemParamsSchema('Values in the issue, by name.'),
            }),
            { description: 'Each invalid field with what is wrong with it. Absent if no field is to blame.' },
          ),
        ),
        requestId: Type.Optional(
          Type.String({ description: '`X-Request-Id` of the request. Quote it when you ask for support.' }),
        ),
      },
      { description: 'The error.' },
    ),
  },
  {
    description: 'The body of every error response.',
    examples: [
      {
        error: {
          code: 404,
          message: 'File 5 does not exist in project 3.',
          type: 'not_found',
          reason: 'file_not_found_in_project',
          params: { fileId: 5, projectId: 3 },
          requestId: 'b2f7',
        },
      },
    ],
  },
)

type ErrorStatus = (typeof statusOf)[keyof typeof statusOf] | ProtocolStatus

/** The responses of a route: its success, the errors common to all routes and those that it lists. */
export const responses = (
  success: { status: 200 | 201; schema: TSchema; description: string },
  ...errors: ErrorStatus[]
): Record<number, object> => ({
  [success.status]: jsonAnswer(success.description, success.schema),
  ...errorResponses(...errors),
})

export const errorResponses = (...errors: ErrorStatus[]): Record<number, object> =>
  Object.fromEntries(
    [...new Set<number>([400, 401, 403, 500, 503, ...errors])].map((status) => [
      status,
      jsonAnswer(errorDescriptions[status]?.description ?? 'Error', schemaRef('Error')),
    ]),
  )

const jsonAnswer = (description: string, schema: TSchema) => ({
  description,
  content: { 'application/json': { schema } },
})

/** References a schema added with `addSchemas`, so that openapi.json contains it once. For responses only. */
export const schemaRef = (name: string): TSchema => Type.Ref(`${name}#`)

export const addSchemas = (app: FastifyInstance, schemas: Readonly<Record<string, TSchema>>): void => {
  for (const [name, schema] of Object.entries(schemas)) app.addSchema({ ...schema, $id: name })
}

export const tags = {
  projects: 'Projects',
  files: 'Files',
  live: 'Live',
  playlists: 'Playlists',
  catalog: 'Categories, video types and shares',
  events: 'Events',
  notifications: 'Notifications',
  partners: 'Partners and services',
  users: 'Users',
  apiKeys: 'API keys',
  usage: 'Usage',
  analytics: 'Analytics',
} as const

const introduction = `Use this API to automate video: projects, media files, live streams, playlists, playout, events and webhooks.

**Authentication.** Send \`Authorization: Bearer <API key>\` with every request. The API is for servers: it sends no CORS headers. The console uses a session cookie instead (\`signIn\`), with the permissions of the user's role.

**Requests and responses** are JSON. Field names are PascalCase. Timestamps are ISO 8601 with a numeric offset. POST returns 201 with the whole record. PUT changes only the fields that you send (\`null\` clears a field) and returns the whole record. DELETE returns 200 with \`{"Id", "IsEnabled": false, "DeletedAt"}\`. Unknown and read-only fields in a body are ignored, so you can read a record, change it and send it back whole. Ignore fields, events and values that you do not know: new ones may be added.

**Lists** take \`limit\` with \`offset\`, or with \`cursor\` (\`NextCursor\` of the previous page), which is equally fast at any depth. Names of query parameters are case-insensitive.

**Errors** have the same body everywhere: the schema Error. A path with the wrong method returns 405, and \`Allow\` lists the supported methods.

**Safe retries.** Send \`Idempotency-Key\` to repeat a POST safely. Send \`If-Match\` so that a PUT or DELETE does not overwrite a change that you have not seen. With \`If-None-Match\`, a GET returns an unchanged record without a body. \`X-Request-Id\` identifies each request. The \`RateLimit-*\` headers contain the limit of your key and what remains of it.

**No polling.** Webhooks notify your systems of events. \`GET /v3/events\` and \`GET /v3/events/stream\` return the same events.`

/** OpenAPI 3.1, generated from the route schemas. */
export const openApiDocument = (publicUrl: string): SwaggerOptions => ({
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Zoetrope API',
      version: '3.0.0',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: publicUrl,
        description: 'This installation, for production or testing.',
        'x-internal': false,
      } as { url: string },
    ],
    tags: [
      { name: tags.projects, description: 'Folders of media with their own settings.' },
      { name: tags.files, description: 'Video and audio files: upload, metadata, processing, playout.' },
      {
        name: tags.live,
        description: 'The live stream of each project: ingest, status, recordings, simulcast, output.',
      },
      {
        name: tags.playlists,
        description: 'Lists of files that play as one stream, in manual order or selected by rules.',
      },
      { name: tags.catalog, description: 'Vocabularies for the metadata of files.' },
      { name: tags.events, description: 'The event log, to poll or to stream.' },
      { name: tags.users, description: 'Users of the account, their roles, sessions and invitations.' },
      {
        name: tags.notifications,
        description: 'Webhooks that notify your systems of events, and their deliveries.',
      },
      {
        name: tags.partners,
        description: 'The identity provider for deliveries and sign-in, and its keys.',
      },
      { name: tags.apiKeys, description: 'Long-lived tokens for your back ends.' },
      { name: tags.usage, description: 'Storage by day, and the encode queue.' },
      { name: tags.analytics, description: 'Who watches, and how well it plays.' },
      { name: 'Webhooks', description: 'Requests that Zoetrope sends to your systems.' },
    ],
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'An API key: a JWT of one user, with at most the permissions of that user. It is checked according to RFC8725: one algorithm (EdDSA), and the type, issuer and audience of this installation.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-zoetrope-session',
          description:
            'The cookie that `signIn` sets. Without HTTPS its name has no `__Host-` prefix. Changes also require `X-CSRF-Token` with the `CsrfToken` of `getSession`, and must come from a page of this installation. The cookie is ignored if there is an Authorization header.',
        },
      },
    },
    security: [{ apiKey: [] }, { session: [] }],
  },
  transformObject: (document) =>
    'openapiObject' in document ? completeDocument(document.openapiObject) : document.swaggerObject,
  refResolver: {
    buildLocalReference: (json, _base, _fragment, index) =>
      (json['$id'] as string | undefined) ?? `Schema${index}`,
  },
})
