import type { SwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { Type, type TSchema } from 'typebox'
import type { statusOf } from '../kernel/problem.ts'

export const errorSchema = Type.Object(
  {
    error: Type.Object({
      code: Type.Integer({ description: 'The HTTP status.' }),
      message: Type.String({ description: 'What is wrong and what would be right.' }),
      type: Type.String({ description: 'A stable slug for programs.' }),
      details: Type.Optional(Type.Array(Type.Object({ field: Type.String(), issue: Type.String() }))),
      requestId: Type.Optional(Type.String()),
    }),
  },
  {
    description: 'Every answer that is neither 2xx nor 3xx has this shape.',
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

const reasons: Record<number, string> = {
  400: 'Malformed body, wrong type, bad query value, or well-formed but impossible.',
  401: 'No token, or one that is malformed, expired, revoked or not ours.',
  403: 'The user of the token may not do this.',
  404: 'Unknown or deleted, or of another account.',
  409: 'In conflict with the present state.',
  412: 'If-Match names an old version.',
  413: 'Too large.',
  500: 'A bug of ours.',
  503: 'Starting, stopping, or a dependency is down.',
  507: 'The storage is full.',
}

type ErrorStatus = (typeof statusOf)[keyof typeof statusOf]

/** The answers of a route: its success, and the errors that every route shares or that it names. */
export const responses = (
  success: { status: 200 | 201; schema: TSchema; description: string },
  ...errors: ErrorStatus[]
): Record<number, object> => ({
  [success.status]: jsonAnswer(success.description, success.schema),
  ...errorResponses(...errors),
})

/** The errors alone, for routes whose success is no JSON. */
export const errorResponses = (...errors: ErrorStatus[]): Record<number, object> =>
  Object.fromEntries(
    [...new Set<number>([400, 401, 403, 500, 503, ...errors])].map((status) => [
      status,
      jsonAnswer(reasons[status] ?? 'Error', schemaRef('Error')),
    ]),
  )

const jsonAnswer = (description: string, schema: TSchema) => ({
  description,
  content: { 'application/json': { schema } },
})

/** Names a schema that was added with `addSchemas`, so that openapi.json says it once. For answers only. */
export const schemaRef = (name: string): TSchema => Type.Ref(`${name}#`)

/** Adds shared schemas by name to this scope and those within. */
export const addSchemas = (app: FastifyInstance, schemas: Readonly<Record<string, TSchema>>): void => {
  for (const [name, schema] of Object.entries(schemas)) app.addSchema({ ...schema, $id: name })
}

export const tags = {
  projects: 'Projects',
  files: 'Files',
  playlists: 'Playlists',
  catalog: 'Categories, video types and shares',
  events: 'Events',
  notifications: 'Notifications',
  users: 'Users',
  apiKeys: 'API keys',
} as const

/** OpenAPI 3.1, generated from the route schemas. */
export const openApiDocument = (publicUrl: string): SwaggerOptions => ({
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Zoetrope API',
      version: '3.0.0',
      description:
        'Automates video: projects, media files, playout and webhooks. Every request carries `Authorization: Bearer <API key>`; JSON in and out.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl, description: 'This installation' }],
    tags: [
      { name: tags.projects, description: 'Folders of media with settings of their own.' },
      { name: tags.files, description: 'Video and audio files: upload, metadata, states, playout.' },
      { name: tags.playlists, description: 'Ordered or rule-made lists of files that play as one stream.' },
      { name: tags.catalog, description: 'The vocabularies that the metadata of files points to.' },
      { name: tags.events, description: 'The log of what happened, to poll or to follow.' },
      { name: tags.users, description: 'The people of the account and what they may do.' },
      {
        name: tags.notifications,
        description: 'Webhooks that tell your systems what happened, and their deliveries.',
      },
      { name: tags.apiKeys, description: 'Long-lived tokens for back ends.' },
    ],
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An API key.' },
      },
    },
    security: [{ apiKey: [] }],
  },
  refResolver: {
    buildLocalReference: (json, _base, _fragment, index) =>
      (json['$id'] as string | undefined) ?? `Schema${index}`,
  },
})
