/**
 * Changes that users make to their own second factor. Each requires a proof, the password or a code. A wrong proof
 * counts as a failed sign-in of the address and of the account.
 */
import { Effect, Redacted, Schema } from "effect"
import { Refusals } from "../edge/Refusals.ts"
import * as Attempts from "./Attempts.ts"
import { Bcrypt } from "./Bcrypt.ts"
import { byUser } from "../edge/AuditNote.ts"
import * as SecondFactor from "./SecondFactor.ts"
import * as Users from "./Users.ts"

/** The password or code is wrong. */
export class NoProof extends Schema.TaggedError<NoProof>()("NoProof", {}) {}

export interface Owner {
  readonly id: number
  readonly email: string
  readonly ip: string
}

/** Creates a new secret; requires the password. Undefined when a confirmed factor exists already. */
export const begin = (owner: Owner, password: string, limits: Attempts.Limits) =>
  Effect.andThen(
    proven(owner, limits, byPassword(owner, password)),
    SecondFactor.begin(byUser(owner.id, owner.ip), owner)
  )

/** Confirms the secret by its first code; returns the recovery codes. */
export const confirm = (owner: Owner, code: string, limits: Attempts.Limits) =>
  Effect.flatMap(reserve(owner, limits), (attempt) =>
    SecondFactor.confirm(byUser(owner.id, owner.ip), owner.id, code).pipe(
      Effect.tap(() => Attempts.takeBack(attempt)),
      Effect.catchTag("WrongCode", () => refused(owner))
    )
  )

/** Removes the second factor; requires an unused code or the password. */
export const turnOff = (owner: Owner, proof: string, limits: Attempts.Limits) => {
  const actor = byUser(owner.id, owner.ip)
  const proved = Effect.flatMap(SecondFactor.take(actor, owner.id, proof), (isCode) =>
    isCode ? Effect.succeed(true) : byPassword(owner, proof)
  )
  return Effect.andThen(proven(owner, limits, proved), SecondFactor.turnOff(actor, owner.id))
}

const reserve = ({ email, id, ip }: Owner, limits: Attempts.Limits) =>
  Attempts.reserve({ address: ip, email, codeOf: id }, limits)

const byPassword = Effect.fnUntraced(function* ({ email }: Owner, typed: string) {
  const bcrypt = yield* Bcrypt
  return yield* bcrypt.verify(Redacted.make(typed), (yield* Users.byEmail(email))?.password)
})

const proven = Effect.fnUntraced(function* <E, R>(
  owner: Owner,
  limits: Attempts.Limits,
  proof: Effect.Effect<boolean, E, R>
) {
  const attempt = yield* reserve(owner, limits)
  if (!(yield* Effect.tapError(proof, () => Attempts.takeBack(attempt)))) return yield* refused(owner)
  yield* Attempts.takeBack(attempt)
})

const refused = ({ ip }: Owner) =>
  Effect.andThen(
    Effect.flatMap(Refusals, (refusals) => refusals.tell({ kind: "edge_code", address: ip })),
    Effect.fail(new NoProof())
  )
