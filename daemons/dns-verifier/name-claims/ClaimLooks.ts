/**
 * Looks for the challenges of pending claims at the authoritative servers of their names, and makes a claim proven when
 * its TXT record is there.
 */
import { Cause, Duration, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { challengeName, challengeOf, type ChallengeAnswer, isShown, nextLook } from "#core/ownership/Challenge.ts"
import { Wake } from "#core/events/Wake.ts"
import * as NameClaims from "#core/ownership/NameClaims.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Actor } from "#core/supervision/Supervisor.ts"
import { Observer, type Observation } from "../verification/Exports.ts"

/** Longest pause between two rounds. Unit: seconds. */
const every = Duration.seconds(20)

/** Claims of one round. Reason: a tenant may have a hundred, and a look takes up to some seconds. */
const batch = 50

/** Claims of a round that are looked up at once. */
const atOnce = 5

/** Longest wait for giving claims back. Reason: it runs while the process stops. */
const giveBackTime = Duration.seconds(2)

interface Due extends NameClaims.Claim {
  /** Unit: seconds. */
  readonly age: number
}

const question = [{ type: "TXT", name: challengeName }]

/** Answers of the authoritative servers to the question for the challenge. */
export const answersOf = (observation: Observation): ReadonlyArray<ChallengeAnswer> =>
  observation.asked
    .filter(({ name, type }) => name === challengeName && type === "TXT")
    .flatMap(({ authorities }) => authorities)
    .map(({ said }) => ({
      isDefinite: said.outcome === "answer" || said.outcome === "nodata" || said.outcome === "nxdomain",
      values: said.values
    }))

/**
 * Takes due claims and postpones them, so that a name whose servers are slow waits for its next turn. Oldest due first,
 * one tenant's claims after the first of each other tenant. Adds their ids to `left` before the commit.
 */
const take = Effect.fnUntraced(function* (left: Set<number>) {
  const sql = yield* SqlClient.SqlClient
  const due = yield* sql<Due>`select id, kind, tenant_id, name, token, state,
      extract(epoch from now() - created_at)::float8 as age
    from (select c.*, row_number() over (partition by tenant_id order by next_look_at) as turn
      from core.name_claim c where state = 'pending' and next_look_at <= now()) c
    order by turn, next_look_at limit ${batch}`
  for (const { age, id } of due) {
    left.add(id)
    yield* sql`update core.name_claim set looked_at = now(),
        next_look_at = now() + make_interval(secs => ${nextLook(age)})
      where id = ${id}`
  }
  return due
})

const look = Effect.fnUntraced(function* ({ kind, name, tenant_id: tenantId, token }: Due) {
  const { observe } = yield* Observer
  const observation = yield* observe(name, question, "quick")
  if (!isShown(answersOf(observation), challengeOf(name, token).content)) return false
  return yield* transaction(NameClaims.prove(kind, tenantId, name, "dns"))
})

/** Makes these claims due again. */
const giveBack = Effect.fnUntraced(
  function* (ids: ReadonlySet<number>) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`update core.name_claim set next_look_at = least(next_look_at, now())
      where state = 'pending' and ${sql.in("id", Array.from(ids))}`
  },
  (effect) =>
    Effect.catch(Effect.timeout(Effect.interruptible(effect), giveBackTime), (error) =>
      Effect.logWarning(`cannot make claims due again: ${error.message}`)
    )
)

/**
 * One round: looks at the due claims. A failed look does not end the others. Claims whose look failed or was
 * interrupted become due again. A claim whose look died stays postponed, so that it does not end every round.
 */
export const round = Effect.suspend(() => {
  const left = new Set<number>()
  return Effect.gen(function* () {
    const due = yield* transaction(take(left))
    const results = yield* Effect.forEach(
      due,
      (claim) =>
        look(claim).pipe(
          Effect.onExit((exit) =>
            Effect.sync(() => {
              if (Exit.isSuccess(exit) || Cause.hasDies(exit.cause)) left.delete(claim.id)
            })
          ),
          Effect.catch((error) =>
            Effect.as(
              Effect.logWarning(`cannot look at the claim to ${claim.name}: ${error.message}`),
              "failed" as const
            )
          )
        ),
      { concurrency: atOnce }
    )
    const count = (result: boolean | "failed") => results.filter((each) => each === result).length
    return `looked at ${due.length} claims, ${count(true)} proven, ${count("failed")} failed`
  }).pipe(Effect.onExit(() => (left.size === 0 ? Effect.void : giveBack(left))))
})

export const claimLooks = {
  name: "name claims",
  placed: true,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const wake = yield* (yield* Wake).subscribe(NameClaims.dueTopic)
    while (true) {
      yield* actor.progress
      yield* actor.note(`last round ${yield* round}`)
      yield* wake.wait(every)
    }
  })
}
