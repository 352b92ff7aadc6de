import type { Migration } from "#core/sql/Migrations.ts"

/**
 * Signing keys are core's: whoever logs in to the mail server for us signs, too. New ones are made; what the old ones
 * signed stays good.
 */
export const keysMoved: Migration = {
  id: 6,
  name: "signing keys moved to core",
  statements: [`drop table identity.signing_key`]
}
