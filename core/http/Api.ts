/**
 * Base of every HttpApi: settings that hold for all endpoints of the platform.
 */
import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { version as programVersion } from "../config/Version.ts"
import { completed } from "./OpenApiDocument.ts"
import { accessOf } from "./OperationTexts.ts"

/**
 * An empty API that validates a whole request, so that a 422 names every bad field and not only the first. Unknown
 * fields of a body are refused, because a client that misspells an optional field would otherwise get another result.
 */
export const make = <const Name extends string>(name: Name): HttpApi.HttpApi<Name> =>
  HttpApi.make(name)
    .annotate(HttpApi.ParseOptions, { errors: "all" })
    .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })

/**
 * Annotations of an endpoint whose body is specified by another party, which may add fields (RFC 6749 §3.1, a browser's
 * `PushSubscription`): unknown fields are ignored.
 */
export const foreignBody = Context.make(HttpApi.PayloadParseOptions, { errors: "all" })

/**
 * The members of an API whose groups are not known to the compiler. The one cast: a concrete `HttpApi` is not
 * assignable to `HttpApi.Top`, because `add` takes groups of the concrete type only.
 */
export const top = (api: HttpApi.Constraint): HttpApi.Top => api as HttpApi.Top

/** Merges several APIs into one, for documents and method tables. It serves no requests. */
export const merge = (name: string, apis: ReadonlyArray<HttpApi.Constraint>): HttpApi.Constraint =>
  apis.reduce<HttpApi.Top>((all, api) => top(all.addHttpApi(top(api))), top(make(name)))

/**
 * The API with title, description and version of its document, which is completed (OpenApiDocument.ts). Default
 * version: that of the package. Not part of `merge`: merging copies annotations into the groups, which would then all
 * bear this title.
 */
export const titled = (
  api: HttpApi.Constraint,
  { description, name, version }: { readonly name: string; readonly description?: string; readonly version?: string }
): HttpApi.Constraint =>
  top(api).annotateMerge(
    OpenApi.annotations({
      title: name,
      ...(description === undefined ? {} : { description }),
      version: version ?? programVersion,
      transform: (generated) => completed(generated, accessOf(top(api)))
    })
  )
