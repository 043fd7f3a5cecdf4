import { nameBodies } from './openapi-bodies.ts'
import { describeAnswerSchema, describeRequestSchema } from './openapi-bounds.ts'
import { describeConventions } from './openapi-conventions.ts'
import { simplifySchema } from './openapi-fields.ts'
import { describeQueryParameter } from './openapi-query.ts'
import { describeQueryFamily } from '../requests/query-families.ts'
import { describeStreamedBodies } from '../requests/streamed-body.ts'
import { describeExchange, exchangeHeaders, exchangeParameters, type Operation } from './openapi-exchange.ts'
import { shareAnswers } from './openapi-shared-answers.ts'
import { describeWebhooks } from './openapi-webhooks.ts'

interface Content {
  required?: boolean
  readonly content?: Record<string, { schema?: object }>
}

interface Document {
  paths?: object
  webhooks?: object
  components?: { schemas?: object; headers?: object; parameters?: object }
}

const schemasOf = ({ content }: Content): object[] =>
  Object.values(content ?? {}).flatMap(({ schema }) => (schema === undefined ? [] : [schema]))

/** A JSON body without a required field may be absent. */
const isBodyOptional = ({ content = {} }: Content): boolean =>
  Object.keys(content).join() === 'application/json' &&
  schemasOf({ content }).every((schema) => !('required' in schema))

/** Completes the document generated from the routes with everything that holds for all of them. */
export const completeDocument = <D extends Document>(generated: D): D => {
  const document = describeConventions(structuredClone(generated))
  const schemas = (document.components?.schemas ?? {}) as Record<string, object>
  for (const schema of Object.values(schemas)) {
    simplifySchema(schema)
    describeAnswerSchema(schema)
  }
  const paths = (document.paths ?? {}) as Record<string, Record<string, Operation>>
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const { parameters = [], requestBody = {} } = operation as {
        parameters?: { readonly in?: string; schema?: object }[]
        requestBody?: Content
      }
      for (const parameter of parameters) {
        describeQueryParameter(parameter)
        describeQueryFamily(parameter)
      }
      describeStreamedBodies(requestBody.content)
      if (isBodyOptional(requestBody)) requestBody.required = false
      for (const { schema } of parameters)
        if (schema !== undefined) {
          simplifySchema(schema)
          describeRequestSchema(schema)
        }
      for (const schema of schemasOf(requestBody)) {
        simplifySchema(schema)
        describeRequestSchema(schema)
      }
      for (const answer of Object.values(operation.responses))
        for (const schema of schemasOf(answer)) {
          simplifySchema(schema)
          describeAnswerSchema(schema)
        }
      // @fastify/swagger appends -head to the operationId of a HEAD route with a GET route.
      if (method === 'head' && operation.operationId !== undefined)
        operation.operationId = operation.operationId.replace(/-head$/, '')
      describeExchange(path, method, operation)
    }
  const webhooks = describeWebhooks(schemas)
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const responses = shareAnswers(operations)
  const bodies = nameBodies(operations, schemas)
  return {
    ...document,
    ...(Object.keys(webhooks).length === 0 ? {} : { webhooks }),
    components: {
      ...document.components,
      schemas: { ...schemas, ...bodies },
      responses,
      headers: { ...document.components?.headers, ...exchangeHeaders },
      parameters: { ...document.components?.parameters, ...exchangeParameters },
    },
  }
}
