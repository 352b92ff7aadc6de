/**
 * Where a daemon's HttpApi begins: with what holds for every endpoint of the platform.
 */
import { HttpApi } from "effect/http-api"

/** An empty API whose requests are read to the end, so that a 422 names every bad field and not only the first. */
export const make = <const Name extends string>(name: Name): HttpApi.HttpApi<Name> =>
  HttpApi.make(name).annotate(HttpApi.ParseOptions, { errors: "all" })
