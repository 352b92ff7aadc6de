/** Endpoints of an `HttpApi` group as a layer whose requirements are plain services. */
import type { Layer } from "effect"
import type { Request } from "effect/http/HttpRouter"
import { type HttpApi, HttpApiBuilder, type HttpApiGroup } from "effect/http-api"

/**
 * Services of a handler as Effect marks them: needed at the time of the request. They are the same services that the
 * layer is built with, because `HttpApiBuilder.group` keeps the context of its build for every request.
 */
type Unmarked<R> = R extends Request<"Requires", infer Service> ? Service : R

/**
 * Implements a group. Same as `HttpApiBuilder.group`, but services that only a handler's effect needs count as
 * requirements of the layer, so a missing one does not compile.
 */
export const group = <
  ApiId extends string,
  Groups extends HttpApiGroup.Constraint,
  const Identifier extends HttpApiGroup.Identifier<Groups>,
  Return
>(
  api: HttpApi.HttpApi<ApiId, Groups>,
  identifier: Identifier,
  build: (
    handlers: HttpApiBuilder.Handlers.FromGroup<HttpApiGroup.WithIdentifier<Groups, Identifier>>
  ) => HttpApiBuilder.Handlers.ValidateReturn<Return>
): Layer.Layer<
  HttpApiGroup.Service<ApiId, Identifier>,
  HttpApiBuilder.Handlers.Error<Return>,
  Unmarked<Layer.Services<ReturnType<typeof HttpApiBuilder.group<ApiId, Groups, Identifier, Return>>>>
> =>
  // The one cast: HttpApiBuilder's types keep the marker although its implementation provides the services itself.
  HttpApiBuilder.group(api, identifier, build) as ReturnType<typeof group<ApiId, Groups, Identifier, Return>>
