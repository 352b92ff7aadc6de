import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MessengerCode } from "#core/contracts/Messenger.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { accessRefusals } from "../sessions/Exports.ts"
import { FactorsApi } from "./Api.ts"
import { factors as handlers } from "./Handlers.ts"
import { enrolment } from "./Layers.ts"
import { factors as factorTables } from "./migrations/0003_factors.ts"
import { sealedRecoveryCodes } from "./RecoveryCodeStore.ts"
import { factorSettings } from "./Settings.ts"
import { sealedTotp } from "./TotpStore.ts"

/** Second factors: authenticator app (TOTP), codes by messenger, recovery codes. */
export const factors = Feature.make({
  settings: factorSettings,
  migrations: [factorTables],
  queues: [MessengerCode],
  sealed: [sealedTotp, sealedRecoveryCodes],
  api: FactorsApi,
  layer: HttpApiBuilder.layer(FactorsApi).pipe(Layer.provide(handlers), Layer.provide([enrolment, accessRefusals]))
})
