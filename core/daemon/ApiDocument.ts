/** The API of the whole daemon with its title and version, for features that publish the document themselves. */
import { Context } from "effect"
import type { HttpApi } from "effect/http-api"

export class ApiDocument extends Context.Service<ApiDocument, HttpApi.Top>()("signalbox/core/ApiDocument") {}
