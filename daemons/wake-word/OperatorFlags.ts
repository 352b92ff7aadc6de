import { Flag } from "effect/cli"
import { providerTenant } from "#core/auth/Caller.ts"

/** Flag `--tenant` of every command: whose models, recordings and trainings. */
export const tenant = Flag.Int("tenant").pipe(
  Flag.withDescription("Number of the tenant; default: the provider"),
  Flag.withDefault(providerTenant)
)
