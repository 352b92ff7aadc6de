import { Effect, Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { Greeting } from "#core/daemon/Greeting.ts"
import { Lane } from "#core/lane/Lane.ts"
import * as ConsoleFiles from "./ConsoleFiles.ts"

export const consoleHostFeature = Feature.make({
  // The pages are public. Their calls carry the token of the signed-in user.
  routes: [{ prefix: ConsoleFiles.consolePath }],
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      yield* Lane.handleAll(ConsoleFiles.lane(ConsoleFiles.read(ConsoleFiles.consoleFolder(import.meta.url))))
      yield* Greeting.add(({ base }) =>
        Effect.succeed([{ kind: "console", text: `${base}${ConsoleFiles.consolePath}/` }])
      )
    })
  )
})
