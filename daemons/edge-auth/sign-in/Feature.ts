import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Environment, settings } from "#core/config/Environment.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Greeting } from "#core/daemon/Greeting.ts"
import { transaction } from "#core/sql/Sql.ts"
import { isJournal } from "#protocols/systemd/JournalPrefix.ts"
import { bcrypt, FirstLink } from "../accounts/Exports.ts"
import { Edge } from "../edge/Edge.ts"
import * as EdgeProjection from "../edge/EdgeProjection.ts"
import { edgeSettings } from "../edge/EdgeSettings.ts"
import * as Refusals from "../edge/Refusals.ts"
import { Imported } from "../imports/Exports.ts"
import { SignInApi } from "./Api.ts"
import { signIn as handlers } from "./Handlers.ts"
import { Registration, registrationSettings } from "./Registration.ts"

/**
 * Prints the link of the first user. Under journald, output is stored and readable by others, so the line names the
 * command that creates a link.
 */
const greet = Effect.gen(function* () {
  const { firstUserAdmin } = yield* Registration
  const { edgeUrl } = yield* settings(edgeSettings)
  const variables = yield* Environment
  yield* Greeting.add(({ base }) => Effect.succeed([{ kind: "edge", text: `${edgeUrl ?? base}/login` }]))
  if (!firstUserAdmin) return
  const line = (text: string) => [{ kind: "edge link", text } as const]
  yield* Greeting.add(({ base }) =>
    Effect.gen(function* () {
      if (isJournal(1, variables) || isJournal(2, variables))
        return (yield* FirstLink.isOpen)
          ? line("signalbox edge users first-link (prints one; not kept in the journal)")
          : []
      const token = yield* transaction(FirstLink.make)
      return token === undefined
        ? []
        : line(`${FirstLink.addressOf(edgeUrl ?? base, token)} (once, for the first user)`)
    }).pipe(
      Effect.catch((error) =>
        Effect.as(Effect.logWarning(`no link of the first user could be created: ${error.message}`), [])
      )
    )
  )
})

/** Pages for signing in, registering and signing out. */
export const signIn = Feature.make({
  settings: { ...edgeSettings, ...registrationSettings },
  api: SignInApi,
  layer: Layer.merge(HttpApiBuilder.layer(SignInApi), Layer.effectDiscard(greet)).pipe(
    Layer.provide(handlers),
    Layer.provide(Registration.layer),
    Layer.provide([bcrypt, Edge.layer, EdgeProjection.layer, Imported.layer, Refusals.layer])
  )
})
