/** Whether the first user who registers becomes an administrator. */
import { Context, Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import * as Settings from "#core/config/Settings.ts"
import { Imported } from "../imports/Exports.ts"

/** Source of the name: interface document 3 §2.2. */
export const registrationSettings = {
  firstUserAdmin: Settings.flag("AUTH_FIRST_USER_ADMIN", {
    doc: "Whether the first user who registers becomes an admin at once",
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
  /** A failed import turns this off: imported users may be missing, so the first to register may not be the first. */
  static readonly layer = Layer.effect(
    Registration,
    Effect.gen(function* () {
      const { firstUserAdmin } = yield* settings(registrationSettings)
      const imported = yield* Imported
      return Registration.of({ firstUserAdmin: firstUserAdmin && imported._tag !== "Failed" })
    })
  )
}
