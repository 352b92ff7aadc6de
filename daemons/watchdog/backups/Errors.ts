/** Refusals of the backups' endpoints. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: another schedule has the name. */
export class ScheduleNameTaken extends HttpApiError.Problem<ScheduleNameTaken>()(
  "ScheduleNameTaken",
  declaration("schedule_name_taken", 409, "Another schedule has this name"),
  codeField("schedule_name_taken")
) {}

/** 503: the repository does not answer, the password does not open it, or another program holds its lock. */
export class RepositoryUnavailable extends HttpApiError.Problem<RepositoryUnavailable>()(
  "RepositoryUnavailable",
  declaration("repository_unavailable", 503, "The backup repository cannot be read"),
  codeField("repository_unavailable")
) {}
