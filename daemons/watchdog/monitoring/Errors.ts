/** Refusals of checks. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: another check has this name. */
export class CheckNameTaken extends HttpApiError.Problem<CheckNameTaken>()(
  "CheckNameTaken",
  declaration("check_name_taken", 409, "Another check has this name"),
  codeField("check_name_taken")
) {}

/** 409: the check was found on the machine. It can be disabled, and its thresholds can be changed. */
export class CheckIsBuiltIn extends HttpApiError.Problem<CheckIsBuiltIn>()(
  "CheckIsBuiltIn",
  declaration("check_is_built_in", 409, "This check is built in; disable it instead"),
  codeField("check_is_built_in")
) {}

/** 409: there are as many checks of operators as there may be. */
export class TooManyChecks extends HttpApiError.Problem<TooManyChecks>()(
  "TooManyChecks",
  declaration("too_many_checks", 409, "There are too many checks"),
  codeField("too_many_checks")
) {}

/** 409: the check is disabled and cannot run. */
export class CheckDisabled extends HttpApiError.Problem<CheckDisabled>()(
  "CheckDisabled",
  declaration("check_disabled", 409, "The check is disabled"),
  codeField("check_disabled")
) {}
