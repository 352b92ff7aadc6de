/** Layers of the second factors. Features that provide the same constant share one instance per daemon. */
import { Effect, Layer } from "effect"
import * as Passwords from "#core/password/Passwords.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { accessRefusals, credentialAttempts } from "../sessions/Exports.ts"
import * as CodeSender from "./CodeSender.ts"
import * as Enrolment from "./Enrolment.ts"
import * as RecentProof from "./RecentProof.ts"
import * as SecondFactors from "./SecondFactors.ts"
import { factorSettings, issuerOf, offersMessenger } from "./Settings.ts"

/** With present values. */
const config = liveSettings(factorSettings)

const codeSender = Layer.unwrap(Effect.map(config, (values) => CodeSender.layer(() => issuerOf(values))))

export const secondFactors = SecondFactors.layer.pipe(Layer.provide(codeSender))

const recentProof = RecentProof.layer.pipe(Layer.provide([Passwords.layer, credentialAttempts, accessRefusals]))

export const enrolment = Layer.unwrap(
  Effect.map(config, (values) =>
    Enrolment.layer({ issuer: () => issuerOf(values), messenger: () => offersMessenger(values) })
  )
).pipe(Layer.provide([recentProof, codeSender]))
