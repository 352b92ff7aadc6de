import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import * as Passwords from "#core/password/Passwords.ts"
import { SessionCuts } from "../session-cuts/Exports.ts"
import { answers } from "./Answers.ts"
import { AppPasswordsApi } from "./Api.ts"
import { appPasswords as handlers, ownAppPasswords } from "./Handlers.ts"
import { appPasswords as tables } from "./migrations/0009_app_passwords.ts"
import { revocations } from "./Revocations.ts"

/** Passwords of mailboxes for single devices: made when a device is set up, ended with the device. */
export const appPasswords = Feature.make({
  migrations: [tables],
  queues: [SessionCuts.CutSessions],
  api: AppPasswordsApi,
  layer: Layer.mergeAll(
    HttpApiBuilder.layer(AppPasswordsApi).pipe(Layer.provide(handlers), Layer.provide(ownAppPasswords)),
    Layer.effectDiscard(answers),
    Layer.effectDiscard(revocations)
  ).pipe(Layer.provide(Layer.merge(SessionCuts.layer, Passwords.layer)))
})
