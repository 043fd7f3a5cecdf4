import type { FastifyRequest } from 'fastify'
import { Type, type Static, type TObject, type TOptional, type TString } from 'typebox'

type PlayoutParams<Name extends string> = TObject<
  { playoutId: TString; token: TOptional<TString> } & Record<Name, TString>
>

/** A request below `/v/<playoutId>`, with the names of the other parameters in its path. */
export type PlayoutRequest<Name extends string = never> = FastifyRequest & {
  readonly params: Static<PlayoutParams<Name>>
}

/** Schema of a route that takes a `PlayoutRequest` with these names. */
export const playoutSchema = <Name extends string = never>(...names: readonly Name[]) => {
  const others = Object.fromEntries(names.map((name) => [name, Type.String()])) as Record<Name, TString>
  return {
    hide: true,
    params: Type.Object({
      playoutId: Type.String(),
      token: Type.Optional(Type.String()),
      ...others,
    }) as PlayoutParams<Name>,
  }
}
