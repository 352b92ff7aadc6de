/** The API of the whole daemon, with title and version. For features that publish the API document themselves. */
import { Context } from "effect"
import type { HttpApi } from "effect/http-api"

export class ApiDocument extends Context.Service<ApiDocument, HttpApi.Top>()("signalbox/core/ApiDocument") {}
