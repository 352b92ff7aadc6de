import { Effect } from "effect"
import { Caller, inScope, providerTenant } from "#core/auth/Caller.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import * as SetupSteps from "#core/setup/SetupSteps.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import { transaction } from "#core/sql/Sql.ts"
import { activeFactors } from "../factors/Exports.ts"
import { actor } from "../users/Exports.ts"
import { SetupApi, type SetupStepView } from "./Api.ts"
import { listOf, type StepView } from "./Steps.ts"

const view = ({
  command,
  group,
  name,
  needs,
  optional,
  page,
  state,
  title,
  why
}: StepView): typeof SetupStepView.Type => ({
  name,
  title,
  why,
  state,
  optional,
  group: group ?? null,
  page: page ?? null,
  settings: [...new Set(needs.flat())],
  command
})

export const setup = Handlers.group(
  SetupApi,
  "setup",
  Effect.fn(function* (handlers) {
    const settings = yield* StoredSettings
    const known = Effect.gen(function* () {
      const caller = yield* Caller
      const states = yield* orUnavailable(settings.list)
      const marks = yield* orUnavailable(transaction(SetupSteps.marks))
      const factors = caller.kind === "user" ? yield* orUnavailable(inScope(activeFactors(caller.userId))) : undefined
      return listOf({
        given: new Set(states.flatMap(({ setting, source }) => (source === "default" ? [] : [setting.name]))),
        marks,
        protectedAccount: factors === undefined ? undefined : factors.length > 0
      })
    })
    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const items = yield* known
        return {
          items: items.map(view),
          open: items.filter(({ optional, state }) => state === "open" && !optional).length
        }
      }),
      change: Effect.fnUntraced(function* ({ params: { name }, payload: { skipped } }) {
        const step = (yield* known).find((one) => one.name === name)
        if (step === undefined) return yield* new NotFound({ detail: "There is no such step." })
        const by = yield* actor
        yield* orUnavailable(
          transaction(
            Effect.andThen(
              SetupSteps.mark(name, skipped ? "skipped" : undefined, by.name),
              Audit.write({
                tenantId: providerTenant,
                actor: by.name,
                action: skipped ? "setup.skipped" : "setup.wanted",
                entity: "setup_step",
                id: name,
                address: by.address
              })
            )
          )
        )
        return view((yield* known).find((one) => one.name === name) ?? step)
      })
    })
  })
)
