import type { Migration } from "#core/sql/Migrations.ts"

/**
 * Signing keys move to schema core, because other daemons sign tokens for the mail server too. New keys are created;
 * tokens signed by old keys stay valid.
 */
export const keysMoved: Migration = {
  id: 6,
  name: "signing keys moved to core",
  statements: [`drop table identity.signing_key`]
}
