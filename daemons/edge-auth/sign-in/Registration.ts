/** Who may register as an administrator. */
import { Context, Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import * as Settings from "#core/config/Settings.ts"
import { Imported } from "../imports/Exports.ts"

/** Source of the name: interface document 3 §2.2. */
export const registrationSettings = {
  firstUserAdmin: Settings.flag("AUTH_FIRST_USER_ADMIN", {
    doc: "Whether the first who registers is an admin at once",
    default: true
  })
}

export class Registration extends Context.Service<
  Registration,
  {
    /** Whether the first user who registers becomes an administrator at once. */
    readonly firstUserAdmin: boolean
  }
>()("signalbox/edge-auth/Registration") {
  /** A failed import forbids it: users may be missing, so the first to register need not be the first user. */
  static readonly layer = Layer.effect(
    Registration,
    Effect.gen(function* () {
      const { firstUserAdmin } = yield* settings(registrationSettings)
      const imported = yield* Imported
      return Registration.of({ firstUserAdmin: firstUserAdmin && imported._tag !== "Failed" })
    })
  )
}
