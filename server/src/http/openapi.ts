import type { SwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { statusOf, type ProblemCode, type ProtocolStatus } from '../kernel/problem.ts'
import { completeDocument } from './openapi-document.ts'
import { errorDescriptions } from './openapi-errors.ts'

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
        details: Type.Optional(
          Type.Array(
            Type.Object({
              field: Type.String({ description: 'Name or path of the field, such as `Metadata.Title`.' }),
              issue: Type.String({ description: 'What is wrong with the field.' }),
            }),
            { description: 'Each invalid field with what is wrong with it. Absent if no field is to blame.' },
          ),
        ),
        requestId: Type.Optional(
          Type.String({ description: '`X-Request-Id` of the request. Quote it when you ask for support.' }),
        ),
      },
      { description: 'What went wrong.' },
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

/** Returns the error responses alone, for routes whose success is not JSON. */
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
} as const

const introduction = `Automates video: projects, media files, live streams, playlists, playout, events and webhooks.

**Authentication.** Every request carries \`Authorization: Bearer <API key>\`. The API is for servers: it has no CORS. People are signed in to the console by a cookie instead (\`signIn\`), with the rights of their role.

**JSON in and out.** Field names are PascalCase. Timestamps are ISO 8601 with a numeric offset. POST answers 201 with the whole record, PUT changes the fields that are sent (\`null\` clears) and answers the whole record, DELETE answers 200 with \`{"Id", "IsEnabled": false, "DeletedAt"}\`. Unknown and read-only fields in a body are ignored, so that a record that was read can be changed and sent back whole. Ignore fields, events and values that you do not know: more may come.

**Lists** take \`limit\` and \`offset\`, or \`cursor\` (the \`NextCursor\` of the page before), which costs the same at any depth. Query parameters are matched in any case.

**Errors** all have the shape of the schema Error. A path under a method that it does not have answers 405, and \`Allow\` names those that it has.

**Safety.** \`Idempotency-Key\` makes a POST safe to repeat, \`If-Match\` a PUT or DELETE safe against the changes of others, \`If-None-Match\` a GET cheap. \`X-Request-Id\` names each exchange. \`RateLimit-*\` say how much is left of the limit of your key.

**No polling.** Webhooks tell your systems what happens; \`GET /v3/events\` and \`GET /v3/events/stream\` read the same log.`

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
        description: 'This installation, whether you run it in production or to test.',
        'x-internal': false,
      } as { url: string },
    ],
    tags: [
      { name: tags.projects, description: 'Folders of media with settings of their own.' },
      { name: tags.files, description: 'Video and audio files: upload, metadata, states, playout.' },
      {
        name: tags.live,
        description: 'The live stream of each project: ingest, control, status, recordings, output.',
      },
      { name: tags.playlists, description: 'Ordered or rule-made lists of files that play as one stream.' },
      { name: tags.catalog, description: 'The vocabularies that the metadata of files points to.' },
      { name: tags.events, description: 'The log of what happened, to poll or to follow.' },
      { name: tags.users, description: 'The people of the account and what they may do.' },
      {
        name: tags.notifications,
        description: 'Webhooks that tell your systems what happened, and their deliveries.',
      },
      {
        name: tags.partners,
        description: 'The identity provider on whose strength deliveries are signed, and the keys.',
      },
      { name: tags.apiKeys, description: 'Long-lived tokens for back ends.' },
      { name: tags.usage, description: 'What is stored, day by day, and what is being encoded.' },
      { name: 'Webhooks', description: 'What Zoetrope sends to your systems.' },
    ],
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'An API key: a JWT that belongs to one user and has at most the rights of that user. Checked as RFC8725 demands: one algorithm (EdDSA), and type, issuer and audience must be ours.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-zoetrope-session',
          description:
            'The cookie that signIn sets; without `__Host-` where the installation has no https. Changes that are made with it also need `X-CSRF-Token` with the CsrfToken of getSession, and come from a page of the installation. It counts only where there is no Authorization header.',
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
