/** Why an account has no connection to its bank. */
import { Schema } from "effect"
import { KeyStatus } from "./FieldSchemas.ts"

/**
 * The account cannot fetch yet. `reason`: `missing` (no such account), `inactive`, `no_ebics` (ids or address missing),
 * `keys` (the key steps are not done, or suspended), `bank_keys` (no person has accepted the bank's keys).
 */
export class NotReady extends Schema.TaggedError<NotReady>()("NotReady", {
  reason: Schema.Literals(["missing", "inactive", "no_ebics", "keys", "bank_keys"]),
  key_status: Schema.NullOr(KeyStatus)
}) {}

/** The private keys are under a passphrase that this process does not have. */
export class KeysLocked extends Schema.TaggedError<KeysLocked>()("KeysLocked", {}) {}

/** Fetching waits for a person: `bank_keys_changed`, or another reason given to `stop`. */
export class Stopped extends Schema.TaggedError<Stopped>()("Stopped", { reason: Schema.String }) {}
