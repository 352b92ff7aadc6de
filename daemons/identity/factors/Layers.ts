/** Layers of the second factors. Features that provide the same constant share one instance per daemon. */
import { Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import * as Passwords from "#core/password/Passwords.ts"
import { accessRefusals, credentialAttempts } from "../sessions/Exports.ts"
import * as CodeSender from "./CodeSender.ts"
import * as Enrolment from "./Enrolment.ts"
import * as RecentProof from "./RecentProof.ts"
import * as SecondFactors from "./SecondFactors.ts"
import { factorSettings, issuerOf, offersMessenger } from "./Settings.ts"

const config = settings(factorSettings)

const codeSender = Layer.unwrap(Effect.map(config, ({ publicUrl }) => CodeSender.layer(issuerOf(publicUrl))))

export const secondFactors = SecondFactors.layer.pipe(Layer.provide(codeSender))

const recentProof = RecentProof.layer.pipe(Layer.provide([Passwords.layer, credentialAttempts, accessRefusals]))

export const enrolment = Layer.unwrap(
  Effect.map(config, (values) =>
    Enrolment.layer({ issuer: issuerOf(values.publicUrl), messenger: offersMessenger(values) })
  )
).pipe(Layer.provide([recentProof, codeSender]))
