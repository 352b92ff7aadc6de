/** Refusals of changes of maintenance. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration, NotFound } from "#core/http/Problem.ts"

/** 409: the maintenance is over or cancelled. */
export class MaintenanceOver extends HttpApiError.Problem<MaintenanceOver>()(
  "MaintenanceOver",
  declaration("maintenance_over", 409, "This maintenance is over"),
  codeField("maintenance_over")
) {}
export const noSuchMaintenance = new NotFound({ detail: "There is no such maintenance." })
