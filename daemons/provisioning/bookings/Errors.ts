/** Refusals of the bookings' endpoints. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the catalog has no package with this id. */
export class NoSuchPackage extends HttpApiError.Problem<NoSuchPackage>()(
  "NoSuchPackage",
  declaration("no_such_package", 409, "The package does not exist"),
  codeField("no_such_package")
) {}
